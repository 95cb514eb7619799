"""Ends a check with status 77 if a program or a Python package is missing, or if the package is too old."""
import importlib.metadata
import shutil
import sys


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")[:3] if part.isdigit()]


def needs(*programs: str, **packages: str) -> None:
    missing = [program for program in programs if not shutil.which(program)]
    for package, minimum in packages.items():
        try:
            if numbers(importlib.metadata.version(package)) < numbers(minimum):
                missing.append(f"{package} {minimum}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    if missing:
        print(f"{', '.join(missing)} missing", file=sys.stderr)
        sys.exit(77)
