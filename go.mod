module github.com/ctxmeter/ctxmeter

go 1.26.8
