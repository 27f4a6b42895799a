// Package lines carries JSON-RPC messages over a pair of streams, one message
// a line, for an MCP server that has to outlive whatever is sent to it.
//
// The SDK's own transport ends the connection at the first line that is too
// long or no message. This one answers such a line with a JSON-RPC error,
// passes over it, and goes on.
package lines
