"""English, as the layers of a running session look for it."""

from __future__ import annotations

from slowwave.text.languages.grammar import Day
from slowwave.text.languages.phrases import Phrases, phrases_cut

DAY = Day(
    constraint=Phrases(
        words="""
        don't|dont|do not|must|mustn't|must not|never|avoid|keep|preserve|leave .. alone|no new|no changes|no more than
        always|make sure|ensure|should not|shouldn't|may not|can't use|can't change|can't touch|can't break|cannot use
        cannot change|cannot touch|cannot break|hands off|stay away|stay within|stay on|mandatory|forbidden|has to stay
        have to stay|has to be|have to be|use only|only use|only change|only touch|in at most
        """,
        unless="""
        i don't|i do not|i dont|we don't know|you don't have to|you don't need to|don't worry|don't bother|don't know
        why don't|why do not|if you don't|it doesn't|they don't|the docs don't|he doesn't|we don't have|we don't see
        i never|he never|she never|they never|it never|we never had|we never got|we never saw|never mind|nevermind
        never called|never worked|have never|has never|was never|were never|had never|is never|are never|never got
        i always|it always|they always|always been|always worked|we always had|always fails|always crashes|always forget
        must be a|must be the|must be an|must be something|must be in|must be some|there must be|must have|must've
        it should not be|it shouldn't be|should not take|shouldn't take|should not be surprised|nobody should
        there should be|should not be hard|shouldn't be hard|should not be a problem|may not know|may not be the
        keep going|keep in mind|keep it up|can't make|i can't|you can't miss|must admit|i must say|i must|we must have
        has to be a|it has to be the|the user must|make sure to save|ever never
        """,
    ),
    weak=Phrases(
        words="""
        only|without|at most|at least|no more than|instead of|rather than|required|not .. but|under .. lines|in one file
        no .. please|no .. outside|with no|may not|may not exceed
        """
    ),
    acceptance=Phrases(
        words="""
        done when|finished when|acceptance|success means|success criteria|until all|until the .. pass|until every
        must pass|should pass|have to pass|need to pass|has to work|have to work|has to be green|have to be green
        definition of done|so that .. pass|still pass|complete when|it is done once
        """
    ),
    decision=Phrases(
        words="""
        let's go with|lets go with|let's use|let's stick with|let's pick|we'll use|we'll go with|we will use
        we will go with|i've decided|i have decided|i choose|i pick|decision|go with|settled on|decided to|decided on
        """
    ),
    lift=Phrases(
        words="""
        you can now|you may now|it's ok to|it is ok to|it's okay to|it is okay to|it's fine to|it is fine to
        no longer need to|feel free to|forget the rule|forget that rule|forget my rule|forget the constraint
        you're allowed to|you are allowed to|go ahead and touch|go ahead and change|go ahead and edit
        """
    ),
    rejected=Phrases(
        opening=True,
        words="""
        no that|no this|no it|no not|no i|no you|no we|no don't|no use|no the|no he|no they|no wrong|nope|nah|stop|wrong|incorrect|not that|not what i|not like that|not like this|not quite|not right
        not correct|that's not|that's wrong|that's incorrect|that is not|that is wrong|this is wrong|this is not what
        this is not right|this is still|you misunderstood|you got it wrong|you broke|you missed|you forgot|you ignored
        you deleted|that's still|it's still the|i didn't ask|i didn't say|i didn't want|i didn't mean|i did not ask|i never asked|i said no|i said not
        i said don't|i said never|i said only|i said the|i told you|i meant|i asked for|why did you|actually no|wait no
        that isn't what|that isn't right|this isn't right|this isn't what
        """,
        unless="""
        no problem|no worries|no need|no idea|no rush|no thanks|no thank you|no more questions|no tests|no one|no further
        nope nothing|nope all good|no hurry|no doubt|no test|no emojis|no preamble|no changes|you missed nothing|no new dependencies|no new files|no new packages|no new libraries
        stop tracking|stop sending|stop showing|stop loading|stop polling|stop playing|stop listening|stop button|stop sign|stop the|stop words|stop a|stop all|stop when|stop once|stop after|stop it when|stop at|stop here|stop signs
        wrong passwords|wrong password|wrong values|wrong inputs|incorrect inputs|incorrect input|incorrect passwords
        incorrect values|say no|no .. yet|no rows|no errors|no error|no output|no result|no results|no such
        """,
    ),
    reverted=Phrases(
        words="""
        undo that|undo this|undo it|undo the|undo your|undo what|undo all|undo everything|please undo
        revert|roll back|rolled back|roll that back|roll it back|roll this back|put it back|put that back|put this back
        put them back|put the old|put the original|restore the|restore it|restore what|take it out|take that out|back out
        i reverted|i undid|remove what you
        """,
        unless="""
        the revert command|revert command|revert button|rollback script|undo button|an undo|the undo|a revert|revert script
        revert function|revert feature|restore the session|restore the backup|restore the database|roll back when
        roll back if|rolled back when|rolled back if
        """,
    ),
    repeated=Phrases(
        words="""still the old|still the wrong|still using the old|still the previous|
        again|still not|still fail|still fails|still failing|still broken|still wrong|still doesn't|still isn't
        still the same|same error|same problem|same mistake|same issue|as i said|as i mentioned|i already said
        i already told|i already asked|i just said|i just told|how many times|once more|second time|third time|keep doing
        keep failing|keep making|keeps doing|keeps failing|keeps making
        """,
        unless="""
        again thanks|thanks again|asked again|run it again|try again|try it again|run again|run the .. again|again when
        again if|again after|never again|again later|again tomorrow|then again|show .. again|open .. again|ask again
        """,
    ),
    renewed=Phrases(
        words="""
        don't do that|don't ever do that|never do that|from now on|stop using|stop doing|stop adding|stop making
        you should have|you should never|you should always|you shouldn't have|next time ask|next time run|next time use
        next time please|next time don't|next time check|next time you|next time first|next time read|next time write
        in future|in the future please|in the future always|in the future never|in the future don't|in the future ask
        in the future use
        """,
        unless="the next time|until the next time",
    ),
    starters=(
        *(
            f"{word} "
            for word in phrases_cut("do|don't|dont|don’t|must|never|always|keep|preserve|only|no|without|leave")
        ),
        *phrases_cut("avoid using|use |make sure|please don't|please keep|please never"),
    ),
)
