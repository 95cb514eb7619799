"""Stands for the file of another how-to: the token names the caller and the scopes."""
from dataclasses import dataclass
from typing import Annotated

from fastapi import Header, HTTPException


@dataclass(frozen=True)
class Caller:
    id: str
    scopes: frozenset[str]


def caller(authorization: Annotated[str | None, Header()] = None) -> Caller:
    if authorization is None:
        raise HTTPException(401)
    return Caller("ann", frozenset(authorization.removeprefix("Bearer ").split()))
