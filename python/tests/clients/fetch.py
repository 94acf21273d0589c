"""Fetches a source distribution as pip would, without building it: python fetch.py NAME VERSION FILE

`pip download` builds the metadata of a source distribution, and needs the build tools for that. This script uses pip's
finder and session instead, so that pip's configuration applies: indexes, proxies, certificates, credentials. Exits with
75 (EX_TEMPFAIL) if no index answers, and with 1 for all other errors.
"""

import hashlib
import sys
from pathlib import Path

from pip._internal.commands import create_command
from pip._vendor.packaging.utils import canonicalize_name
from pip._vendor.requests import HTTPError, RequestException

NO_REGISTRY = 75


def main(name: str, version: str, file: Path) -> int:
    command = create_command("download")
    options, _ = command.parse_args(["--no-binary", ":all:", "--retries", "1", "--timeout", "20", "--quiet", name])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options, session)
        candidates = finder.find_all_candidates(canonicalize_name(name))
        links = [candidate.link for candidate in candidates if str(candidate.version) == version]
        if not links:
            return nothing(session, options, finder.search_scope.index_urls, f"{name} {version}")
        response = session.get(links[-1].url_without_fragment, headers={"Accept-Encoding": "identity"})
        response.raise_for_status()
    link, data = links[-1], response.content
    if link.hash_name and hashlib.new(link.hash_name, data).hexdigest() != link.hash:
        print(f"{link.filename}: not the {link.hash_name} that its index names", file=sys.stderr)
        return 1
    # The file must never be incomplete, because another run can look for it at the same time.
    part = file.with_name(f"{file.name}.{id(data):x}.part")
    part.write_bytes(data)
    part.replace(file)
    return 0


def nothing(session, options, indexes: list[str], what: str) -> int:
    """Prints why nothing was found. pip's finder doesn't report indexes that do not answer, so this asks them again."""
    for index in indexes:
        try:
            with session.get(index, stream=True, timeout=20) as response:
                if response.status_code >= 500:
                    continue
        except RequestException:
            continue
        print(f"{index} has no source distribution of {what}", file=sys.stderr)
        return 1
    print(f"no index answers: {', '.join(indexes) or 'none is configured'}", file=sys.stderr)
    return NO_REGISTRY


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
    except RequestException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1 if isinstance(error, HTTPError) else NO_REGISTRY)
