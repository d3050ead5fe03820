//! What an `Arc` of a file or socket can do as the file can.

use super::Arc;
use std::fs::File;
use std::io::{IoSlice, IoSliceMut, Read, Result, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};

impl Read for Arc<File> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        (&**self).read(buffer)
    }

    fn read_vectored(&mut self, buffers: &mut [IoSliceMut<'_>]) -> Result<usize> {
        (&**self).read_vectored(buffers)
    }
}

impl Write for Arc<File> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        (&**self).write(bytes)
    }

    fn write_vectored(&mut self, buffers: &[IoSlice<'_>]) -> Result<usize> {
        (&**self).write_vectored(buffers)
    }

    fn flush(&mut self) -> Result<()> {
        (&**self).flush()
    }
}

impl Seek for Arc<File> {
    fn seek(&mut self, position: SeekFrom) -> Result<u64> {
        (&**self).seek(position)
    }
}

#[cfg(unix)]
impl<T: ?Sized + AsFd> AsFd for Arc<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        (**self).as_fd()
    }
}

#[cfg(unix)]
impl<T: AsRawFd> AsRawFd for Arc<T> {
    fn as_raw_fd(&self) -> RawFd {
        (**self).as_raw_fd()
    }
}
