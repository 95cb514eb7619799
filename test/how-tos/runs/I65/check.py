"""Searches as users of two groups and two tenants. Debian: postgresql-17-pgvector, python3-asyncpg."""
import asyncio
import random
import re
import sys
import types
from pathlib import Path

from support.needs import needs
from support.postgres import postgres

needs(asyncpg="0.29")
if not Path("/usr/share/postgresql/17/extension/vector.control").exists():
    print("pgvector is missing", file=sys.stderr)
    sys.exit(77)

import asyncpg


async def register_vector(connection):
    """Stands in for the Python package pgvector, which Debian does not have: vectors travel as text."""
    await connection.set_type_codec("vector", encoder=lambda value: str(list(value)), decoder=str, format="text")

try:
    import pgvector.asyncpg
except ImportError:
    sys.modules["pgvector"] = types.ModuleType("pgvector")
    sys.modules["pgvector.asyncpg"] = types.ModuleType("pgvector.asyncpg")
    sys.modules["pgvector.asyncpg"].register_vector = register_vector

from block_2 import Caller, cache_key, connect, passages

random.seed(65)
SCHEMA = Path("block_1.sql").read_text(encoding="utf-8")
FOREIGN, OWN, OTHER_TENANT = 1, 2, 3
GROUP_A, GROUP_B = 10, 20


def near(spread):
    return [1.0 + random.uniform(-spread, spread) for _ in range(64)] + [0.0] * 960


async def check(dsn):
    administrator = await asyncpg.connect(dsn)
    await administrator.execute(SCHEMA)
    await administrator.execute("CREATE TABLE chunk_8 PARTITION OF chunk FOR VALUES IN (8)")
    pool = await connect(dsn)
    async with pool.acquire() as connection:
        rows = [(7, FOREIGN, "secret of b", near(0.01)) for _ in range(900)]
        rows += [(7, OWN, "of a", near(0.9)) for _ in range(12)]
        rows += [(8, OTHER_TENANT, "secret of 8", near(0.01)) for _ in range(20)]
        await connection.executemany(
            "INSERT INTO chunk (tenant_id, document_id, body, embedding) VALUES ($1, $2, $3, $4)", rows)
        await connection.executemany("INSERT INTO document_reader VALUES ($1, $2)",
            [(FOREIGN, GROUP_B), (OWN, GROUP_A), (OTHER_TENANT, GROUP_A), (OTHER_TENANT, GROUP_B)])
        await connection.execute("ANALYZE")
        a, b = Caller(7, [GROUP_A]), Caller(7, [GROUP_B])

        async def found(caller, question=None):
            return {row["body"] for row in await passages(connection, caller, question or near(0.01))}

        for _ in range(50):
            question = near(0.05)
            mine = await passages(connection, a, question)
            assert len(mine) == 8 and {row["document_id"] for row in mine} == {OWN}, "The own passages are incomplete."
            distances = [row["distance"] for row in mine]
            assert distances == sorted(distances)
            assert await found(b, question) == {"secret of b"}
        assert await found(Caller(7, [GROUP_A, GROUP_B])) == {"secret of b"}
        assert await found(Caller(8, [GROUP_A])) == {"secret of 8"}
        assert await found(Caller(7, [])) == await found(Caller(7, [99])) == await found(Caller(9, [GROUP_A])) == set()
        # The plan uses the index; without the setting, its first 40 rows would all belong to others.
        statement = re.search(r'fetch\(\s+"""(.*?)"""', Path("block_2.py").read_text(encoding="utf-8"), re.DOTALL)[1]
        plan = await connection.fetch(f"EXPLAIN {statement}", near(0.01), 7, [GROUP_A])
        assert any("chunk_7_embedding_idx" in row[0] for row in plan), plan
        await connection.execute("DELETE FROM document_reader WHERE document_id = $1 AND group_id = $2", OWN, GROUP_A)
        assert await found(a) == set()
    await pool.close()
    await administrator.close()

    keys = [cache_key(Caller(*words), question) for words, question in [
        ((7, [1, 2]), "q"), ((8, [1, 2]), "q"), ((7, [1]), "q"), ((7, [12]), "q"), ((7, []), "q"), ((7, [1, 2]), "r")]]
    assert len(set(keys)) == len(keys)
    assert cache_key(Caller(7, [2, 1]), "q") == keys[0]


# Small tables would be sorted instead of searched by their index.
with postgres("enable_sort=off", "enable_seqscan=off", "enable_hashjoin=off", "enable_mergejoin=off") as port:
    asyncio.run(check(f"postgresql://postgres@127.0.0.1:{port}/postgres"))
