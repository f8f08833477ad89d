//go:build unix

package docker

import (
	"io/fs"
	"syscall"
)

// blocks returns what a file takes of the disk, 0 when its inode was counted
// before.
func blocks(info fs.FileInfo, seen map[uint64]bool) int64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return info.Size()
	}
	if stat.Nlink > 1 {
		if seen[stat.Ino] {
			return 0
		}
		seen[stat.Ino] = true
	}
	return stat.Blocks * 512
}
