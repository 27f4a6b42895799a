package install

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

var (
	errChanged  = errors.New("somebody else changes it all the time")
	errReadOnly = errors.New("it is read-only")
	errNotYours = errors.New("you may not write it")
	errFolder   = errors.New("its folder may not be written")
	errLinked   = errors.New("it has other names (hard links), which would keep the old text")
	errLeadsOut = errors.New("a link leads out of the project")
)

// untouched are the errors that mean that a file is as it was.
var untouched = []error{errChanged, errReadOnly, wiring.ErrDangling, errNotYours, errFolder, errLinked, errLeadsOut, wiring.ErrNoText, wiring.ErrLarge}

// settingsFile is a settings file that may be replaced.
type settingsFile struct{ wiring.Content }

func readSettings(path string) (settingsFile, error) {
	c, err := wiring.ReadContent(path)
	return settingsFile{c}, err
}

// within looks whether a file, or the folder that it would be made in, lies in
// a folder behind all links.
func (c settingsFile) within(dir string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	there := c.Path
	if !c.Exists() {
		there = folderAbove(c.Path)
	}
	real, err := filepath.EvalSymlinks(there)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%w, to %s", errLeadsOut, real)
	}
	return nil
}

// folderAbove is the innermost folder above a path that is there.
func folderAbove(path string) string {
	dir := filepath.Dir(path)
	for !files.IsDir(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

// writable reports why a file should not be replaced. That the folder allows
// it is not enough: who takes away the right to write means it.
func (c settingsFile) writable() error {
	if !mayWriteFolder(folderAbove(c.Path)) {
		return errFolder
	}
	if !c.Exists() {
		return nil
	}
	if c.Info.Mode().Perm()&0o200 == 0 {
		return errReadOnly
	}
	if linkCount(c.Info) > 1 {
		return errLinked
	}
	f, err := os.OpenFile(c.Path, os.O_WRONLY, 0) // which changes nothing
	if errors.Is(err, fs.ErrPermission) {
		return errNotYours
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// replace writes another text, in one step, if the file still is as it was
// read; errChanged otherwise. Mode and, where that is allowed, owner stay; a
// new file gets mode, less what the user's mask takes away.
func (c settingsFile) replace(text []byte, mode fs.FileMode) error {
	if err := c.writable(); err != nil {
		return err
	}
	dir := filepath.Dir(c.Path)
	f, err := os.OpenFile(filepath.Join(dir, draftName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails when it has been renamed
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if c.Exists() {
		keepOwner(f, c.Info) // which may take some of the mode away
		if err == nil {
			err = f.Chmod(c.Info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = c.unchanged()
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), c.Path)
}

// remove deletes the file, if it still is as it was read.
func (c settingsFile) remove() error {
	if err := c.writable(); err != nil {
		return err
	}
	if err := c.unchanged(); err != nil {
		return err
	}
	return os.Remove(c.Path)
}

func (c settingsFile) unchanged() error {
	now, err := wiring.ReadContent(c.Path)
	if err == nil && (now.Exists() != c.Exists() || !bytes.Equal(now.Text, c.Text)) {
		err = errChanged
	}
	return err
}

// drafts are the names of files that are being written beside a settings file.
// One stays if the process is killed.
var drafts = regexp.MustCompile(`^\.ctxmeter-([0-9]+)\.tmp$`)

// IsDraft reports whether a file of that name is one that is being written, or
// was when its process was killed.
func IsDraft(name string) bool { return drafts.MatchString(name) }

// draftName is the name of a new draft: a number that has the process in its
// upper half.
func draftName() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return fmt.Sprintf(".ctxmeter-%d.tmp", uint64(os.Getpid())<<32|uint64(binary.BigEndian.Uint32(b[:])))
}

// draftAge is how old a draft has to be before it is certain that nobody writes
// it any more, if its process cannot be told, or has an heir to its number.
const draftAge = 10 * time.Minute

// abandoned reports whether nobody writes a draft any more: the process that
// did has ended, or it is old.
func abandoned(now time.Time, goos string) func(fs.FileInfo, int) bool {
	return func(info fs.FileInfo, pid int) bool {
		return now.Sub(info.ModTime()) > draftAge || pid > 0 && pid != os.Getpid() && !alive(pid, goos)
	}
}

// sweep removes those of the drafts in a folder that are to go, by their
// processes.
func sweep(dir string, gone func(info fs.FileInfo, pid int) bool) {
	list, err := files.List(dir)
	if err != nil {
		return
	}
	for _, f := range list {
		m := drafts.FindStringSubmatch(f.Name())
		if m == nil {
			continue
		}
		number, _ := strconv.ParseUint(m[1], 10, 64)
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() && gone(info, int(number>>32)) {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// hasDrafts reports whether a folder has any.
func hasDrafts(dir string) bool {
	list, err := files.List(dir)
	return err == nil && slices.ContainsFunc(list, func(f fs.DirEntry) bool { return IsDraft(f.Name()) })
}

// makeFolders makes the folder of a file and those above it, and returns the
// ones that it made, outermost first.
func makeFolders(path string, mode fs.FileMode) (made []string, err error) {
	dir := filepath.Dir(path)
	if files.IsDir(dir) {
		return nil, nil
	}
	if dir != filepath.Dir(dir) {
		if made, err = makeFolders(dir, mode); err != nil {
			return made, err
		}
	}
	if err = os.Mkdir(dir, mode); err == nil {
		return append(made, dir), nil
	}
	if files.IsDir(dir) { // somebody else was faster
		err = nil
	}
	return made, err
}

// removeFolders removes folders that were made for a file, if nothing is in
// them. What is something else by now stays.
func removeFolders(made []string, path string) {
	for n := len(made) - 1; n >= 0; n-- {
		info, err := os.Lstat(made[n])
		if err == nil && info.IsDir() && strings.HasPrefix(path, made[n]+string(filepath.Separator)) {
			_ = os.Remove(made[n])
		}
	}
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
