package main

import "github.com/urfave/cli/v3"

func (p *program) demoCommand() *cli.Command { return &cli.Command{Name: "demo"} }
