module github.com/ctxmeter/ctxmeter

go 1.26.8

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/klauspost/compress v1.20.4
	github.com/urfave/cli/v3 v3.14.0
)
