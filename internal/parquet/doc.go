// Package parquet reads the rows of Parquet files as JSON objects, one after
// the other, as the same data would be in JSON Lines. It is the only user of
// the Parquet library.
package parquet
