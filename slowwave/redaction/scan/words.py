"""Words and pairs of letters that the scan compares values with. Standard library only."""

from __future__ import annotations

STAND_INS = frozenset(
    """
    none null nil nullptr true false undefined nan empty optional required string str int integer bool boolean
    number object bytes byte char varchar text any unknown never void function array secret secrets password
    passwd pass token tokens key keys auth bearer basic digest user username admin root guest default example
    sample test testing dummy fake mock demo foo bar baz foobar changeme change_me change-me changeit redacted
    hidden masked removed filtered secure inherit internal external public private env environment value values
    placeholder todo tbd n/a na yes no on off here this self file stdin prompt ask postgres mysql redis mongo
    x-oauth-basic hunter2 letmein s3cr3t p@ssw0rd plain plaintext cleartext json yaml toml hash hashed encrypted
    missing invalid incorrect wrong expired needed unset auto generated random login signin logout register email
    phone name title label description input output query body header form field data const let var final static
    import export return await async new type enum interface class struct
    """.split()  # noqa: SIM905 - a word list reads better unquoted
)
"""Words that stand for a secret, lower case."""
STOP_WORDS = frozenset(
    "the a an is are was be must should can may to of for in on at by with your our this that it and or not no if when from as please enter has have will least than see use set new".split()  # noqa: SIM905 - a word list reads better unquoted
)
"""Words of a sentence that no passphrase holds."""
BIGRAMS = frozenset(
    """
    th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur ro
    ri io ic ll be ma om ce no li la el co me ta di ec ca pe ch us tr ns na il ut ho ac ot ss wa nc so id fo ct lo ge pr ad
    po am mo pa ir su ie ol sh ee wi ke rs ai im ul tt ei mi op em ig vi un sp oo wo rt iv ov do bl ay ab ow ag ap av bo br
    bu ci ck cl cr da ev ew ex fa fe ff fi fr ga gh gi gl go gr gu hu ia if ip ki lu ly mp mu ne nu od ok os ow pi pl pp pu
    qu rd rm rn ru sc sk sl sw ts tu tw ty ua ub ud ue um up va vo we wh ye ys rl rc rg rk rv lt ls lf lk lm ct ft ks ds gs
    ms ps bs ws ny ry by my py iz ze az oc og oa oi ui oy ey cu du dr dy eg ep eo ga gg
    """.split()  # noqa: SIM905 - a list of pairs reads better unquoted
)
"""Pairs of letters that are common in words."""
