-- Prefect's tables get a database of their own: both use Alembic, and neither should see the other's revisions.
CREATE DATABASE prefect;
