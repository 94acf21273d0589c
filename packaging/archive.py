"""Archives that have the same bytes if their members are the same (sorted, with one owner and one time), and reading
archives."""

import gzip
import io
import tarfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from project import epoch


@dataclass(frozen=True)
class Member:
    """A file in an archive."""

    name: str
    data: bytes
    executable: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.executable else 0o644


def folder(top: Path, prefix: str = "") -> list[Member]:
    """All files below a folder."""
    return [
        Member(prefix + path.relative_to(top).as_posix(), path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for path in sorted(top.rglob("*"))
        if path.is_file()
    ]


def ordered(members: list[Member]) -> list[Member]:
    names = [member.name for member in members]
    if len(set(names)) != len(names):
        raise ValueError(f"a name twice in one archive: {sorted(name for name in names if names.count(name) > 1)}")
    return sorted(members, key=lambda member: member.name)


def gzipped(data: bytes) -> bytes:
    """The same as gzip -n -9: without name and time."""
    return gzip.compress(data, 9, mtime=0)


def place(path: Path, data: bytes) -> Path:
    """Writes a complete file or none."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(data)
    return beside.replace(path)


def tar_gz(path: Path, members: list[Member]) -> Path:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for member in ordered(members):
            entry = tarfile.TarInfo(member.name)
            entry.size, entry.mode, entry.mtime = len(member.data), member.mode, epoch()
            archive.addfile(entry, io.BytesIO(member.data))
    return place(path, gzipped(buffer.getvalue()))


def zipped(path: Path, members: list[Member], last: str = "") -> Path:
    """Makes a zip file. Members whose names begin with `last` come last, because readers of wheels look for the
    metadata there."""
    # A zip file can't store times before 1980 or time zones.
    moment = time.gmtime(max(epoch(), 315532800))[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member in sorted(ordered(members), key=lambda member: bool(last) and member.name.startswith(last)):
            entry = zipfile.ZipInfo(member.name, moment)
            entry.external_attr = (0o100000 | member.mode) << 16
            entry.create_system = 3
            # The compression is given for each entry, because that of the archive would not apply to entries with a
            # ZipInfo.
            archive.writestr(entry, member.data, zipfile.ZIP_DEFLATED, compresslevel=9)
    return place(path, buffer.getvalue())


def members_of(path: Path) -> list[Member]:
    """The files of a tar archive. Names outside of the target folder, links and devices are refused."""
    members = []
    with tarfile.open(path) as archive:
        for entry in archive.getmembers():
            name = PurePosixPath(entry.name)
            if name.is_absolute() or ".." in name.parts:
                raise ValueError(f"{path.name}: the name {entry.name!r} leads out of the archive")
            if not entry.isfile() and not entry.isdir():
                raise ValueError(f"{path.name}: {entry.name!r} is neither a file nor a folder")
            if entry.isfile():
                members.append(Member(entry.name, archive.extractfile(entry).read(), bool(entry.mode & 0o100)))
    return members


def unpack(path: Path, top: Path) -> None:
    """Writes the files of a tar archive below a folder, or none of them. tarfile has a filter for this only since
    Python 3.11.4."""
    for member in members_of(path):
        place = top / member.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(member.data)
        place.chmod(member.mode)
