import sys
import time

from support.needs import needs

needs(psycopg="3.2")

import psycopg

from block_1 import search

with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    connection.execute(
        "CREATE TABLE orders (id int, tenant_id int, status text, created_at timestamptz, total_cents int)")
    for row in [(1, 1, "paid", 300), (2, 1, "paid", 100), (3, 1, "O'Brien'--", 200), (4, 2, "paid", 50)]:
        connection.execute("INSERT INTO orders VALUES (%s, %s, %s, now() + make_interval(secs => %s), %s)",
                           (*row[:3], row[0], row[3]))
    assert search(connection, 1, ["paid"], "total") == [(2, "paid"), (1, "paid")]
    assert search(connection, 1, ["paid"], "created") == [(1, "paid"), (2, "paid")]
    assert search(connection, 1, ["O'Brien'--"], "total") == [(3, "O'Brien'--")]
    started = time.monotonic()
    for status in ["x' OR 'a'='a", "'; SELECT pg_sleep(5) --", "') OR tenant_id = 2 --", "%", "{paid}"]:
        assert search(connection, 1, [status], "total") == [], status
    for sort in ["total; DROP TABLE orders", "'; SELECT pg_sleep(5) --", "tenant_id", "id", "total_cents", ""]:
        try:
            search(connection, 1, ["paid"], sort)
        except ValueError:
            continue
        raise AssertionError(f"{sort} was accepted.")
    for tenant in ["1 OR 1=1", "1; SELECT pg_sleep(5)"]:
        try:
            search(connection, tenant, ["paid"], "total")
        except psycopg.Error:
            continue
        raise AssertionError(f"{tenant} was accepted.")
    assert time.monotonic() - started < 5, "A value was executed."
    assert search(connection, 2, ["paid"], "total") == [(4, "paid")]
