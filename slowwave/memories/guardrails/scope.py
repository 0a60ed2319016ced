"""Whether a person speaks of how they work everywhere, or of the project at hand."""

from __future__ import annotations

import re

from slowwave.memories.guardrails.words import terms_of

_EVERYWHERE = re.compile(
    r"\b(?:in|for|across|on|with) (?:all|every|each|any)(?: of)? (?:my |our |the )?(?:\w+ )?(?:projects?"
    r"|repos?|repositor(?:y|ies)"
    r"|code ?bases?)\b|\b(?:my |our |the )?other (?:projects?|repos?|repositories"
    r"|code ?bases?)\b|\bfuture (?:projects?|repos?)\b"
    r"|\bevery (?:project|repo)|\beverywhere(?: i (?:work|code))?\b|\bwherever i (?:work|code)\b"
    r"|\bregardless of (?:the )?project\b"
    r"|\bno matter (?:which|what) (?:project|repo)|\ball (?:my|our) (?:projects|repos|repositories|code)\b"
    r"|\bnot (?:just|only) (?:in )?(?:this|here)\b|\bany (?:project|repo) of mine\b"
    r"|\b(?:allen?|jedem|anderen?|künftigen?|zukünftigen?) (?:meinen? |unseren? )?(?:projekten?|repos?)\b|\büberall\b"
    r"|\b(?:tous|toutes?) (?:mes|nos|les) (?:projets?|dépôts?)\b|\b(?:autres|futurs) projets\b"
    r"|\bpartout\b|\bchaque projet\b"
    r"|\btodos (?:mis|los|nuestros|meus|os|nossos) (?:proyectos|repos|projetos)\b|\b(?:otros|futuros) proyectos\b"
    r"|\b(?:outros|futuros) projetos\b|\ben todas partes\b|\btutti i (?:miei|nostri) progetti\b|\baltri progetti\b"
    r"|во всех (?:моих |наших )?проектах|в других проектах|везде"
    r"|(?:所有|其他|每个|今后的|未来的)(?:的)?(?:项目|仓库|專案)|不管哪个项目"
    r"|(?:すべて|全て|全部|他|どの|今後)の?(?:プロジェクト|リポジトリ)|(?:모든|다른|어떤"
    r"|앞으로의) ?(?:프로젝트|저장소)|ทุก(?:โปรเจ[กค]ต์|โครงการ)|โปรเจ[กค]ต์อื่น",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"\b(?:in|for|on) this (?:repo|repository|project|code ?base|package|module|branch|app|service"
    r"|site)\b|\bin here\b"
    r"|\bthis (?:repo|repository|project|codebase)\b|\b(?:diesem|dieses) (?:projekt|repo)\b|\bce (?:projet|dépôt)\b"
    r"|\beste (?:proyecto|repo|projeto)\b|\bquesto progetto\b|в этом проекте|这个(?:项目|仓库)|本项目"
    r"|この(?:プロジェクト|リポジトリ)"
    r"|이 (?:프로젝트|저장소)|โปรเจ[กค]ต์นี้|โครงการนี้",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|nicht|pas|no|non|não)\s+(?:in|for|für|dans|en|em)\s*$", re.IGNORECASE)


def stated_everywhere(words: str) -> bool:
    """Whether typed words say that they hold in all projects."""
    match = _EVERYWHERE.search(words)
    return match is not None and _NOT.search(words[: match.start()]) is None


def names_this_project(text: str, project: str = "") -> bool:
    """Whether a text speaks of something that only this project has: a path, an identifier, its name, "here"."""
    if _HERE.search(text):
        return True
    found = terms_of(text)
    if any("/" in name or "_" in name or "." in name.strip(".") for name in found.names):
        return True
    own = terms_of(project).content if len(project) > 3 else frozenset()
    return bool(own) and own <= found.content
