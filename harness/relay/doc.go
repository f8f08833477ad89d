// Package relay serves the loopback ports of jobs: it listens where a job can
// connect to, and hands the connections to the job's caller.
package relay
