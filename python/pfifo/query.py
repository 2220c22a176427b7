# SPDX-License-Identifier: MIT
"""The query language of pfifo/query.h: which decoded lines, or events of a run, somebody wants."""
from __future__ import annotations

from typing import Optional, Union

from ._native import Handle, call, lib, text


class Query(Handle):
    """
    A compiled query, such as 'LAUNCH_DMA.SRC_MEMORY_LAYOUT=PITCH' or 'class=*_3D and submission=3..5'. ArgumentError has the
    column of what is wrong.
    """

    def __init__(self, query: str) -> None:
        super().__init__()
        encoded = text(query, "a query")
        self.text = query
        self._pointer = call(lib.pfifo_query_new, encoded)

    def _free(self, pointer: int) -> None:
        lib.pfifo_query_free(pointer)

    def __repr__(self) -> str:
        return f"Query({self.text!r})"


QueryLike = Union[Query, str, None]


def query_of(query: QueryLike) -> Optional[Query]:
    """A Query as it is, a text compiled."""
    if query is None or isinstance(query, Query):
        return query
    return Query(query)
