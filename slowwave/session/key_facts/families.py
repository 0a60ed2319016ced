"""Families of interchangeable tools: a new member replaces the old one, and asking for the family finds its member.

Data, not code: each family has the names of its members and the words people use for it, in several languages.
"""

from __future__ import annotations

import re
from functools import lru_cache

FAMILIES: dict[str, tuple[str, str]] = {
    "package manager": (
        "npm pnpm yarn bun pip uv poetry pipenv pdm conda cargo bundler composer",
        "package manager install dependency dependencies 包管理器 安装依赖 依赖 パッケージマネージャ 依存 "
        "ตัวจัดการแพ็กเกจ ติดตั้งแพ็กเกจ 패키지 매니저",
    ),
    "test runner": (
        "jest vitest mocha jasmine ava pytest unittest nose rspec minitest junit phpunit cypress playwright",
        "test testing runner framework library 测试 单元测试 テスト ทดสอบ 테스트",
    ),
    "deploy target": (
        "cloudflare vercel netlify heroku fly.io render railway kubernetes k8s ecs lambda fargate "
        "cloud-run gke eks aks digitalocean hetzner firebase",
        "deploy deployment host hosting production 部署 上线 发布 デプロイ 本番 ดีพลอย โฮสต์ 배포",
    ),
    "database": (
        "postgres postgresql mysql mariadb sqlite mongodb mongo dynamodb cockroachdb redis cassandra duckdb "
        "oracle mssql",
        "database db sql 数据库 資料庫 データベース ฐานข้อมูล 데이터베이스",
    ),
    "formatter": (
        "prettier biome black ruff yapf dprint gofmt rustfmt",
        "format formatter formatting 格式化 フォーマッタ จัดรูปแบบ 포맷터",
    ),
    "linter": (
        "eslint tslint flake8 pylint oxlint rubocop golangci-lint clippy",
        "lint linter linting 代码检查 リンター",
    ),
    "bundler": (
        "webpack vite rollup esbuild parcel turbopack rspack",
        "bundler bundle build 打包 构建 バンドラ ビルド",
    ),
    "orm": ("prisma drizzle sequelize typeorm sqlalchemy sqlmodel django-orm hibernate", "orm models 模型 モデル"),
    "editor": ("vim neovim nvim emacs vscode cursor zed intellij pycharm webstorm", "editor ide 编辑器 エディタ"),
    "ci": (
        "github-actions gitlab-ci circleci jenkins travis buildkite drone",
        "ci pipeline continuous integration 持续集成",
    ),
}


@lru_cache(maxsize=1)
def _members() -> tuple[re.Pattern[str], dict[str, str]]:
    owner = {
        member.replace("-", " "): family for family, (members, _) in FAMILIES.items() for member in members.split()
    }
    names = sorted(owner, key=len, reverse=True)
    pattern = r"(?<![\w.-])(" + "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in names) + r")(?![\w-]|\.\w)"
    return re.compile(pattern, re.IGNORECASE | re.ASCII), owner


def family_of(text: str) -> str:
    """The family that the first member named in the text belongs to, or an empty string."""
    pattern, owner = _members()
    found = pattern.search(text)
    return owner[found.group(1).lower().replace("-", " ")] if found else ""


def family_words(family: str) -> tuple[str, ...]:
    """The words for a family, empty for an unknown one."""
    entry = FAMILIES.get(family)
    return (family, entry[1]) if entry else ()
