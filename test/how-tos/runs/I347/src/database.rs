#![allow(clippy::disallowed_methods, reason = "the tables of the check")]
use sqlx::PgPool;

pub async fn with_tables() -> PgPool {
    let pool = PgPool::connect(&std::env::var("DATABASE_URL").unwrap()).await.unwrap();
    let statements = "CREATE TABLE addresses (id bigint PRIMARY KEY, owner_id bigint NOT NULL);
        CREATE TABLE invoices (id bigint PRIMARY KEY, owner_id bigint NOT NULL, title text NOT NULL,
                               address_id bigint NOT NULL REFERENCES addresses);
        INSERT INTO addresses VALUES (100, 1), (101, 1), (200, 2);
        INSERT INTO invoices VALUES (10, 1, 'first', 100), (20, 2, 'other', 200)";
    sqlx::raw_sql(statements).execute(&pool).await.unwrap();
    pool
}
