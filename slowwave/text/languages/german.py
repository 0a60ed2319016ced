"""German."""

from __future__ import annotations

from slowwave.text.languages.grammar import Change, Day, Language, cue
from slowwave.text.languages.phrases import Phrases, phrases_cut

_NOT = r"(?:nicht|kein(?:e|en|em|er|es)?)"
_DO = (
    r"(?:schreib|benutz|verwend|nutz|nimm|führ|frag|lass|mach|lösch|änder|commit|push|merg|merge|teste?|prüf|formatier|benenn|nenn|gib|antwort|"
    r"erklär|zeig|halt|leg|pack|speicher|logg?|setz|installier|bau|start|starte|erstell|füg|ergänz|aktualisier|dokumentier|sag|rat|rate|fass|veröffentlich|deploy|bevorzug|vermeid|sprich|red|lies|pflege?)e?(?:n|t)?"
)
_PROCESS = (
    r"(?:commit(?:s|-nachrichten|-messages|nachrichten)?|pull[- ]requests|prs|branches|branch-namen|tests|migrationen|releases|deployments|abhängigkeiten|reviews|"
    r"kommentare|änderungen|doku(?:mentation)?|changelog|funktionen|methoden|klassen|module|dateien|dateinamen|endpunkte|schnittstellen|handler|anfragen|antworten|abfragen|tabellen|spalten|"
    r"fehler|fehlermeldungen|logs|logzeilen|zeitstempel|daten|datumsangaben|zeiten|uhrzeiten|beträge|geldbeträge|preise|passwörter|geheimnisse|schlüssel|tokens|variablen|konstanten|importe|texte|übersetzungen|feature-flags|pakete|dienste|services|konfigurationen|skripte|generierte \w+|öffentliche \w+|neue (?:funktionen|module|endpunkte|dateien|abhängigkeiten|tests|features))"
)
_SUBJECT = (
    r"(?:(?:unser|unsere|das|die|der|dieses|diese|mein|meine) (?:\w+[ -]){0,2}?(?:projekt|repo|repository|codebasis|codebase|app|anwendung|api|backend|frontend|dienst|service|seite|website|server|"
    r"ci|pipeline|datenbank|warteschlange|queue|cache|cluster|doku|dokumentation|entwürfe|designs|tickets|logs|metriken|secrets|releases|staging|produktion|produktivumgebung|umgebung|umgebungen|testumgebung|"
    r"team|kunden|nutzer|code|tests|testsuite|build|paket|pakete|bibliothek|firmware|spiel|modelle|editor|zeitzone|name|standardbranch|hauptbranch|default-branch|lizenz|domain|deploy-ziel|paketmanager|framework|sprache|firma|rechner|shop|zahlung|zahlungsdienst|worker|port)|"
    r"(?:produktion|staging|backend|frontend|logs|tickets|secrets|releases|deployments|tests|ci))"
)
_STATE = r"(?:geschrieben|gehostet|deployt|gebaut|verwaltet|gespeichert|abgelegt|veröffentlicht|betrieben|ausgeliefert|gepflegt|getrackt|gemacht|generiert|erzeugt|überwacht|konfiguriert|dokumentiert|lizenziert|getestet|trainiert|gemessen)"

LANGUAGE = Language(
    code="de",
    day=Day(
        constraint=Phrases(
            words="""
            nicht .. ändern|nicht anfassen|nicht verändern|nicht umbenennen|nicht löschen|nicht committen|nicht pushen|ändere .. nicht
            ändert .. nicht|ändere nichts|fass .. nicht an|fasse .. nicht an|niemals|nie wieder|keine neuen|keinen neuen|keine neue|keine weiteren|bitte keine
            ohne .. zu ändern|lass .. unverändert|lass .. wie|lasse .. wie|lass .. so|lass die finger|unverändert|bleiben wie|bleibt wie|bleiben so|bleibt so|bleiben .. wie|bleibt .. wie|muss bleiben|darf sich nicht|dürfen sich nicht|muss weiterhin|müssen weiterhin|muss weiter|müssen weiter
            darf nicht|dürfen nicht|darf höchstens|darf maximal|darf nur|darf kein|dürfen keine|behalte|behalt .. bei|beibehalten|stell sicher|achte darauf
            immer|unbedingt|auf keinen fall|muss .. bleiben|müssen .. bleiben|benutze nur|verwende nur|nutze nur|nimm nur|nur die standardbibliothek|benutze keine|verwende keine
            """,
            unless="""
            noch nie|immer noch|schon immer|wie immer|hat immer|habe nie|hat nie|kann nicht|kann es nicht|weiß nicht|wissen nicht|sehe nicht|ist nie|war nie
            das muss ein|das muss eine|das muss an|es muss ein|muss ein fehler|sollte nicht lange|nicht lange|nie benutzt|kommt immer|stürzt immer|schlägt immer|musst nicht|müssen nicht
            """,
        ),
        weak=Phrases(words="nur|ohne|höchstens|maximal|mindestens|statt|anstatt|kein|keine|keinen|muss|müssen|darf"),
        acceptance=Phrases(
            words="fertig wenn|erledigt wenn|fertig ist es|bis alle|müssen durchlaufen|müssen grün|akzeptanzkriterien|müssen .. laufen|muss .. grün|müssen bestehen|abgeschlossen wenn"
        ),
        decision=Phrases(
            words="wir nehmen|nehmen wir|wir entscheiden uns|entschieden|wir bleiben bei|lass uns .. nehmen|dann also"
        ),
        lift=Phrases(words="du darfst jetzt|darfst du jetzt|jetzt darfst du|kannst du jetzt ruhig|ist jetzt erlaubt"),
        rejected=Phrases(
            opening=True,
            words="nein|nee|falsch|stopp du|halt das|das ist falsch|das ist nicht|das stimmt nicht|das war nicht|das habe ich nicht|das hatte ich nicht|so nicht|nicht so|nicht das|ich hatte gesagt|ich habe gesagt|ich hatte doch|ich habe doch|ich meinte|du hast vergessen|du hast .. falsch|du hast schon wieder|du hast wieder|warum hast du|das wollte ich nicht|stimmt nicht",
            unless="nein danke|kein problem|falsche eingaben|falsche passwörter|nein alles gut",
        ),
        reverted=Phrases(
            words="rückgängig|mach das zurück|zurücksetzen|setz .. zurück|stell .. wieder her|nimm .. zurück|zurückrollen|revert",
            unless="rückgängig-knopf|rückgängig-button|rückgängig-funktion|rückgängig knopf",
        ),
        repeated=Phrases(
            words="immer noch das alte|immer noch der alte|immer noch die alte|noch das alte|noch die alte|noch der alte|schon wieder|immer noch|wieder derselbe|wieder der gleiche|noch einmal derselbe|derselbe fehler|gleicher fehler|zum wiederholten|wie gesagt|wie oft",
            unless="immer noch offen",
        ),
        renewed=Phrases(
            words="ab jetzt|ab sofort|von jetzt an|in zukunft|künftig|zukünftig|beim nächsten mal bitte|nächstes mal bitte|mach das nie wieder|nie wieder|hör auf|lass das in zukunft"
        ),
        starters=phrases_cut("ändere |ändert |aber |bitte keine |keine |lass |benutze |verwende |fass |nicht "),
    ),
    lead=(
        r"(?:ok(?:ay)?|ja|nein|nee|gut|super|danke|bitte|also|und|aber|hallo|hi|hey|achtung|wichtig|übrigens|btw|ps|noch etwas|noch was|noch eins|außerdem|ach so|ach ja|kurz|nebenbei|hinweis|info|korrektur|doch nicht|ich hab(?:e)?s mir anders überlegt|vergiss das|eigentlich)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:ok(?:ay)?|ja|also|und|aber|übrigens|außerdem|bitte|eigentlich|doch|nein,) "
    ),
    lasting_lead=(
        r"(?:bitte |und |also )*(?:merk(?:e)? (?:dir|es dir)(?: bitte)?|denk(?:e)? (?:immer )?(?:daran|dran)|denkt daran|beachte(?: bitte)?|zur info|zur kenntnis|nicht vergessen|vergiss nicht|behalt(?:e)? im (?:kopf|hinterkopf)|bedenke|für die zukunft|für später|fürs nächste mal|goldene regel|grundregel|regel(?: nummer eins)?|merke|wichtig für später|notiz an dich)(?:,? dass)?(?: ?[–—]|[,:;!-])* (?!(?:was|wie|mich|zu)\b)"
    ),
    polite=r"(?:kannst|könntest|würdest|kannst) du(?: bitte)? (?=.*\b(?:immer|nie|niemals|ab jetzt|künftig|in zukunft|jedes mal)\b)",
    question=r"[?？][\"')\]]*\s*$|^(?:warum|wieso|weshalb|wie|was|wo|wann|wer|wen|welche[rsnm]?|ist|sind|soll(?:en|te|ten)? (?:wir|ich|das|man|es)|kann (?:ich|man)|können wir|dürfen wir|gibt es|hat|haben wir|nutzen wir|verwenden wir|müssen wir|muss ich|wird|werden)\b",
    hypothesis=r"\b(?:nachsehen|prüfen|schauen|checken|nachschauen|herausfinden|weißt du|sag mir),? ob\b|\bwäre es (?:sinnvoll|besser)\b|\b(?:vielleicht|eventuell|evtl|möglicherweise|eigentlich könnte|könnte(?:n|st)?|wäre es|wäre (?:schön|gut|toll)|ich (?:glaube|denke|vermute|überlege|frage mich|schätze)|wohl|vermutlich|wahrscheinlich|nicht sicher|mal angenommen|überlegen gerade|was wäre)\b",
    passing=r"\b(?:diesmal|dieses mal|heute|morgen|gestern|gerade|momentan|im moment|vorerst|vorläufig|erst ?mal|zunächst nur|für jetzt|jetzt gerade|für diesen (?:commit|pr|test|branch)|für diese (?:aufgabe|datei)|in dieser (?:sitzung|session|datei)|bis ich|noch nicht|einmalig|ausnahmsweise|nur (?:an)?(?:schauen|ansehen|analysieren|lesen|berichten|zeigen)|schnell|möchte ich (?:später|morgen)|später weiter)\b|\bnur anschauen\b",
    condition=r"^(?:wenn|falls|sofern|sobald|solange|würde|hätte|angenommen) ",
    report=r"\b(?:geht|sinkt|fällt|steigt|kommt) (?:immer|nie|niemals|nicht)\b|\bstimmt (?:was|etwas) nicht\b|\bda stimmt\b|\b(?:habe|hab|hatte|konnte) ich (?:\w+ )*(?:nie|niemals|noch nie)\b|\bich (?:habe|hab|hatte|konnte) (?:\w+ )*(?:nie|niemals)\b|^(?!(?:bitte |immer |niemals |nie )*(?:"
    + _DO
    + r")\b).*?(?:\b(?:immer|nie|niemals|ständig|jedes mal|jeder|jede|alle)\b.*\b(?:fehl(?:er)?|schlägt|stürzt|abgestürzt|hängt|kaputt|funktioniert|funktionierte|geht nicht|kommt|kam|bricht|wirft|passiert|fertig|läuft|dauert)\b|\b(?:stürzt|schlägt|hängt|bricht|wirft) .*\b(?:immer|jedes mal|ständig)\b|\bimmer noch\b|\bist (?:kaputt|rot|weg|aus|langsam|leer)\b|\b(?:problem|fehler) (?:ist|liegt|war)\b)",
    spec=r"^(?!.*\b(?:nie|niemals|nicht|keine\w*)\b).*\b(?:soll|sollte|muss|sollen|müssen) .*\b(?:anzeigen|zeigen|angezeigt|sichtbar|öffnen|schließen|erscheinen|aufgehen|aussehen)\b|\b(?:tooltip|badge|banner|diagramm|toast|hinweis)\b.*\b(?:soll|muss|immer)\w*\b|\b(?:knopf|button|buttons|knöpfe|dialog|fenster|zeile|zeilen|spalte \w+|seite soll|seite muss|icon|icons|symbol|karte|karten|menü|überschrift|schritt|feld|felder|formular|liste|tabelle soll|slice|level|gegner|popup|die ansicht|der header|die kopfzeile)\b.*\b(?:soll(?:en|te|ten)?|muss|müssen|darf|dürfen|braucht|immer)\b|\bjede[rs]? .*\b(?:in der (?:tabelle|liste)|auf der seite|im formular)\b|\b(?:schritte|alles) .*(?:erledigt|fertig|gemacht)",
    dangling=r"^(?:es|das(?= (?-i:[a-zäöü]))|sie|er|dies|diese[rs]?)\b(?! (?:repo|projekt|repository|app|produkt|team|codebasis|system))|\b(?:diese[rsnm]?|jene[rsn]?|die (?:andere|erste|zweite|letzte|nächste)|den (?:anderen|ersten|zweiten|letzten)) (?:datei|funktion|methode|test|branch|commit|fehler|änderung|zeile|stelle|teil|aufgabe|seite|fall|ordner|version)\b|\b(?:mach|änder|lösch|benutz|nimm|lass)e? (?:es|das|sie|ihn|den|die)[.!]?$",
    joint=r"[;:] | ?[–—]+ ?| - |, (?:so|und|aber|denn|also|dann|deshalb|weil) |, (?=(?:immer|nie|niemals|bitte|ab jetzt|nur|kein|keine|wir|sondern|nimm|verwende|benutze)\b)|[.!?] ",
    request=r"^(?:bitte )?(?:mach|lösch|schau|zeig|füg|änder|erstell|beheb|fix|such|prüf|öffne|starte|stopp|benenn)e? ",
    lasting=(
        cue(
            "preference",
            r"^(?:ich (?:möchte|will|wünsche mir|hätte gern(?:e)?)|mir wäre (?:es )?lieb(?:er)?),? (?:dass|wenn) (?:du|ihr|wir|commits?|migrationen|tests|releases|änderungen|prs|kommentare)\b.*\b(?:immer|nie|niemals|stets|grundsätzlich|ausschließlich|jedes mal)\b.*",
        ),
        cue(
            "preference",
            r"^wenn du .*,? .*\b(?:immer|nie|niemals|stets)\b.*(?:\b(?:commit|pr|code|doku|test|repo)\w*|en|e)[.!]?$",
            r"^wir \w+(?:en|n) (?:hier |in diesem (?:repo|projekt) |bei uns )?(?:\w+ )?(?:nicht|nie|niemals|kein\w*)[.!]?$|^wir \w+en (?:hier|in diesem (?:repo|projekt)) .*\b(?:nicht|nie|kein\w*)\b.*",
        ),
        cue(
            "constraint",
            r"^(?!(?:das|es|sie|er)\b (?-i:[a-zäöü]))[\wäöüß -]{3,40} (?:muss|müssen|soll|sollen|darf|dürfen) .*\b(?:vor|nach) (?:dem|der|jedem) (?:commit|merge|push|release|deploy|deployment|review)\b.*",
            r"\bbei uns (?:grundsätzlich|immer|stets|nie|niemals)\b.*",
        ),
        cue(
            "preference",
            r"\bbitte immer (?!(?:noch|wieder)\b).{6,}|^[\wäöüß -]{3,30} bitte (?:immer|nie|grundsätzlich|stets)\b.*",
            r"\b(?:duze|duz|sieze|siez) mich\b.*|\b(?:halte|halt|fasse?) (?:die |deine |alle )?(?:antworten|erklärungen|kommentare|commits|prs|nachrichten)\b.*\b(?:kurz|knapp|einfach|klein)\b.*",
            r"^(?:bei uns|hier|im team) (?:\w+ )?(?:niemand|keiner)\b.*|^(?:niemand|keiner) (?:von uns |hier )?(?:merged|mergt|pusht|ändert|committet|deployt|fasst|löscht)\b.*",
            r"^(?:was auch immer|egal was)\b.*\b(?:nie|niemals|immer)\b.*",
        ),
        cue(
            "constraint",
            r"\b(?:niemals|nie(?: wieder| mehr)?|auf keinen fall|unter keinen umständen|keinesfalls)\b(?! (?:benutzt|gesehen|gehabt|gehört|gemacht|fertig|so)\b)(?!.*\b(?:benutzt|gesehen|gehabt|gehört|funktioniert|gegangen)[.!]?$).{6,}",
            r".{6,}\b(?:niemals|nie(?: wieder| mehr)?|auf keinen fall|unter keinen umständen)\b.*\b(?:werden|wird|ändern|anfassen|committen|pushen|löschen|verwenden|benutzen|geändert|bearbeitet|eingecheckt|\w+en)\b",
            r"\b(?:ist|sind) (?:strikt |streng |absolut )?(?:verboten|tabu|nicht erlaubt|untersagt)\b",
            rf"\b{_PROCESS}\b.*\b(?:darf|dürfen) (?:nie|niemals|nicht|nur|keine?n?)\b",
            rf"^(?:jeder|jede|jedes|alle|sämtliche|kein|keine) (?:\w+ )?{_PROCESS[:-1]}|commit|test|endpunkt|handler|service|dienst|funktion|migration|pull[- ]request)\b(?! (?:in|auf) de[rm]\b).*\b(?:muss|müssen|soll|sollen|braucht|brauchen|darf|dürfen)\b",
            rf"^{_PROCESS}\b.*\b(?:müssen|muss|sollen|soll|dürfen|werden (?:immer|nie|ausschließlich|nur)|gehören|stehen|liegen|bleiben|sind immer)\b",
        ),
        cue(
            "preference",
            rf"\b(?:{_DO})\b.*\b(?:immer|stets|grundsätzlich|ausnahmslos|generell)\b.*",
            r"^(?:bitte )?(?:immer|stets|grundsätzlich|generell|prinzipiell|standardmäßig)\b(?! noch)(?! (?:oben|unten|rechts|links|wenn)\b).{4,}(?:en|t|e|st)[.!]?$|^(?:bitte )?(?:immer|stets|grundsätzlich|generell|standardmäßig)\b(?! noch)(?! (?:oben|unten|rechts|links|wenn)\b) .{6,}",
            r"\bwir (?:\w+ )?(?:\w+ )?(?:immer|grundsätzlich|stets|generell|ausschließlich)\b(?! noch)(?!.*\b(?:fehler|probleme)\b).*",
            r"\b(?:du|ihr|man) (?:sollst|solltest|musst|darfst|soll|sollte|muss) (?:\w+ ){0,4}?(?:immer|stets|grundsätzlich)\b",
        ),
        cue(
            "preference",
            r"\b(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|in zukunft|künftig|zukünftig|fortan|(?:beim )?nächste[ns] mal)\b(?! wieder weiter).{6,}",
            r".{8,}\b(?:in zukunft|künftig|zukünftig|ab jetzt|ab sofort)[.!]?$",
        ),
        cue(
            "preference",
            rf"\b(?:{_DO})\b.*\b(?:vor|nach|bei|zu|mit|für) jede[mnrs]? (?!(?:zeile|schritt|klick|knopf|button|seite)\b)\w+",
            r"^(?:vor|nach|bei|zu|mit) jede[mnr]? (?!(?:klick|start|zeile|schritt)\b)\w+[^.]*\b(?:ausführen|laufen lassen|prüfen|aktualisieren|bitte|muss|müssen|soll|en)\b.*",
            r"^jedes ?mal,? wenn du\b.*",
            r"\bfrag(?:e|t)? (?:mich |uns |erst |vorher |immer |bitte |zuerst )*(?:bevor|,? bevor|ehe|vor)\b(?! (?:du )?(?:das|es|diese)\b).*",
            r"\bfrag(?:e)? (?:mich|uns)\b.*\bbevor du\b.*",
            r"\bohne (?:rückfrage|zu fragen|meine (?:zustimmung|freigabe|erlaubnis)|rücksprache|review)\b",
        ),
        cue(
            "preference",
            r"^(?:bitte )?(?:verwende|benutze?|nutze?|nimm|schreib(?:e)?|bevorzuge)\b(?! (?:die|den|das) (?:zweite|erste|andere|alte|neue)).*\b(?:statt|anstatt|anstelle von|nicht|nie)\b.*",
            r"\bwir (?:\w+ )?(?:verwenden|benutzen|nutzen|nehmen|setzen|machen|schreiben|arbeiten|committen|deployen|unterstützen|wollen|brauchen|mocken)\b.*\b(?:kein(?:e|en)?|nicht|nur|statt|ausschließlich|sondern)\b.*",
            r"^(?:hier )?(?:verwenden|benutzen|nutzen) wir\b.*\b(?:kein(?:e|en)?|nicht|nur|statt)\b.*",
            r"^(?:bitte )?(?:keine|kein|keinen) (?!(?:problem|ahnung|sorge|eile|änderungen?|zeit)\b)[\w-]+ in (?:den |der |dem )?(?:antworten|commits?|code|tests|repo|produktion|logs)\b.*",
            r"\b\w+, (?:und )?(?:nicht|nie|niemals|kein) \w+[.!]?$",
        ),
        cue(
            "preference",
            r"\bich (?:\w+ )?(?:bevorzuge|mag (?:keine?n?|lieber|kurze|kleine)|hasse|ziehe .* vor|kann .* nicht (?:leiden|ausstehen)|habe lieber|hätte lieber|arbeite lieber)\b(?! (?:das|es|dies)\b).*",
            r"\bwir (?:bevorzugen|ziehen .* vor)\b.*",
        ),
        cue(
            "preference",
            r"^(?:bitte )?(?:antworte|sprich|schreib(?:e)?|rede|erkläre?)(?: \w+){0,4}? auf (?:deutsch|englisch|französisch|spanisch|chinesisch|japanisch)\b.*",
            r"^(?:bitte )?(?:kurze|knappe|ausführliche) antworten\b.*|^(?:bitte )?(?:halte dich|fass dich|fasse dich) kurz\b(?!.*(?:hier|diesmal)).*|^(?:bitte )?antworte (?:mir )?(?:kurz|knapp|in stichpunkten|ohne)\b.*|^nur (?:den |die )?(?:code|antwort|befehl|diff)\b.*(?:kein|ohne).*",
        ),
        cue(
            "decision",
            r"\bwir haben (?:uns )?(?:entschieden|beschlossen|geeinigt)\b.{8,}|\bwir haben uns (?:für|auf|gegen) .{3,} (?:entschieden|geeinigt)",
        ),
        cue(
            "constraint",
            r"\b(?:wir|das projekt) (?:brauchen?|unterstützen?|wollen|nutzen|verwenden|haben|benutzen) .*\b(?:kein(?:e|en)?|nicht)(?: mehr)?\b.*",
        ),
        cue(
            "constraint",
            r"^(?:das|dies) (?:ist|hier ist) ein (?:öffentliches|privates|offenes) (?:repo|repository|projekt)\b.*",
            r"^du (?:bist|läufst|arbeitest) in (?:einer|einem) \w+.*\b(?:also|deshalb|daher)\b.*",
        ),
        cue(
            "preference",
            r"^(?:in|im|für|unter|auf|bei) (?!(?:diese|dem moment|moment)\w*\b)[\w ./-]{2,40}? (?:immer|nie|niemals|nur|ausschließlich|stets|grundsätzlich)\b.*",
            rf"^(?:in|im|für|unter|auf|bei) (?:tests|go-code|python-code|diesem (?:repo|projekt)|unserem \w+|der doku|commits?)\b.*\b(?:{_DO}|nie|immer|nicht|wir)\b.*",
        ),
    ),
    facts=(
        cue(
            "fact",
            r"^unsere? (?:website|webseite|homepage|seite|domain|app|shop) (?:liegt|läuft|ist|hängt) (?:bei|auf|hinter|unter)\b.*",
            r"^ich (?:arbeite|entwickle|nutze|benutze|verwende) (?:unter |auf |mit )?(?-i:(?:Windows|Mac|macOS|Linux|Ubuntu|Debian|Fedora|Arch|WSL|Android|iOS))\b.*",
            r"^(?!(?:es|sie|er|dies)\b)[\wäöüß -]{3,30} (?:wird|werden) .*\bvo[nm]\b .*\b(?:erzeugt|erstellt|generiert|gebaut|gemacht|geschrieben|verschickt|berechnet)[.!]?$",
        ),
        cue(
            "fact",
            r"^(?!(?:das|es|sie|er|diese[rs]?|dies)\b (?-i:[a-zäöü]))[\wäöüß' -]{3,40} (?:wird|werden) .*\b(?:von|durch|alle|jede[nrs]?|einmal|zweimal)\b.*(?:t|en)[.!]?$",
            r"^(?:das|die|der) (?-i:[A-ZÄÖÜ])[\wäöüß]+ (?:macht|machen|erledigt|übernimmt|betreut|liefert) (?:bei uns |immer )?(?:eine?|die|der|das|unser\w*|(?-i:[A-Z]))\b.*",
            r"^ich bin (?:der|die) einzige,? .*|^nur ich (?:darf|kann|habe)\b.*|^nur wir (?:dürfen|können)\b.*",
        ),
        cue(
            "fact",
            r"^(?:bei uns|in unserem (?:team|projekt|repo)) (?:wird|werden|ist|sind|läuft|laufen|gibt|heißen|heißt|liegt|liegen|macht|machen|gilt|gelten)\b(?! (?:gerade|kaputt)).*",
            r"^unsere? (?!(?:problem|fehler|test|build|nächste)\w*\b)[\wäöüß-]+(?: [\wäöüß-]+)? (?:arbeite[nt]|nutz(?:en|t)|verwende[nt]|sitz(?:en|t)|betreu(?:en|t)|lauf(?:en|t)|läuft|spricht|sprechen|zeichne[nt]|entwerfen|kümmern|liegen) \w.*",
            r"^(?!(?:das|es|sie|er|diese[rs]?)\b)[\wäöüß -]{3,40} (?:wird|werden) (?:.{2,40} )?(?:verarbeitet|bearbeitet|ausgeliefert|verschickt|importiert|exportiert|berechnet|validiert|synchronisiert|geprüft|freigegeben|übersetzt|abgerechnet|signiert|indiziert|benannt|gesichert|abgelegt)[.!]?$",
            r"^wir (?:\w+ )?(?:jeden|jede|jedes|alle (?:zwei|drei|vier)|einmal (?:pro|im|am)|wöchentlich|täglich|monatlich)\b.*",
        ),
        cue(
            "fact",
            r"^(?:wir|unser team|das team) (?:\w+ )?(?:verwenden|verwendet|benutzen|benutzt|nutzen|nutzt|setzen|setzt|deployen|deployt|hosten|unterstützen|entwickeln|testen|releasen|veröffentlichen|schreiben|arbeiten|arbeitet|trifft sich|treffen|bauen|betreiben|speichern|verwalten|reviewen|haben (?:kein(?:e|en)?|drei|zwei|vier)|zielen|richten|tracken|loggen) (?!(?:es|das|dies|diese[nsm]?|ihn|sie|die falsche|hier (?:eine|ein))\b)\w+",
            r"^wir (?:sind|laufen|bleiben) (?:noch )?(?:auf|bei) [\w.+-]+ ?v?\d[\w.]*",
        ),
        cue(
            "fact",
            rf"^{_SUBJECT}\b.{{0,40}}?\b(?:läuft|laufen|liegt|liegen|heißt|heißen|nutzt|nutzen|verwendet|verwenden|benutzt|benutzen|steht|stehen|basiert|basieren|braucht|unterstützt|lauscht|spricht|redet|geht|gehen|kommt|kommen|zielt|hängt)\b (?!(?:nicht|wieder|langsam|noch|fehl)\b)\S.*",
            rf"^{_SUBJECT}\b.{{0,30}}?\b(?:ist|sind|wird|werden|hat)\b (?!(?:kaputt|rot|aus|weg|langsam|leer|nicht|noch|wieder|gerade)\b)(?:.*\b{_STATE}\b|(?:eine? |der |die |das )?(?-i:[A-Z])\w.*|.*\d.*|(?:öffentlich|privat|ein monorepo|open source)\b.*|\w+[.!]?$)",
            r"^(?-i:[A-ZÄÖÜ])[a-zäöü]+ (?:prüft|reviewt|verantwortet|betreut|entscheidet über|gibt|kümmert sich um|deployt|macht) .*\b(?:alle|alles|frei|releases|was)\b.*",
        ),
        cue(
            "fact",
            r"^ich (?:arbeite|wohne|lebe|entwickle|sitze|programmiere) (?:aus|in|von|auf|bei|mit|am|an)\b (?!(?:der aufgabe|dem bug|diesem|dem fehler))\w+.*",
            r"^ich bin (?:\w+ )?(?:in|aus|linkshänder\w*|farbenblind|entwickler\w*|maintainer\w*|neu|designer\w*|kein\w*) ?(?!.*(?:zeile|fertig|gleich)).*",
            r"^mein(?:e)? (?:name|zeitzone|editor|rechner|rolle|shell) (?:ist|heißt|läuft)\b.*",
        ),
    ),
    weak=(
        cue(
            "constraint",
            rf"\b(?:{_DO})\b.*\b{_NOT}\b.*",
            rf"\b{_NOT}\b.*\w+en[.!]?$",
            r"\b(?:muss|müssen|darf|dürfen|soll|sollen)\b.*",
            r"^(?:bitte )?(?:keine?n?|nur) .*",
            r"\bstell sicher\b.*",
        ),
        cue("preference", r"^(?:bitte )?(?:verwende|benutze|nutze|nimm) \w+.*"),
        cue("fact", r"\bnicht mehr\b.*", r"\bist veraltet\b.*"),
    ),
    change=(
        Change(
            r"\b(?:wir|das team) (?:\w+ )?(?:steigen|wechseln|ziehen|migrieren|stellen|sind|haben) (?:\w+ ){0,2}?von (?P<old>[A-Z@]?[\w.+-]+) (?:auf|zu|nach) (?P<new>[A-Z@]?[\w.+-]+)\b(?!.*\b(?:morgen|vielleicht|irgendwann)\b)",
            "Wir verwenden {new}.",
            "Wir verwenden {new} statt {old}.",
        ),
        Change(
            r"\bwir (?:haben )?(?:ersetzen|ersetzt) ?(?P<old>[A-Z][\w.+-]+) durch (?P<new>[A-Z][\w.+-]+)",
            "Wir verwenden {new}.",
            "Wir verwenden {new} statt {old}.",
        ),
    ),
    fixed=r"(?:(?:ja|super|danke|perfekt|ok|gut|toll)[,.! ]+)*(?:das war(?:'s| es)?|jetzt (?:geht|läuft|funktioniert) (?:es|'s)|es (?:geht|läuft|funktioniert) (?:jetzt|wieder)|das hat (?:geholfen|funktioniert|das problem gelöst)|das hat's gelöst|gelöst|behoben|geht jetzt|läuft jetzt|funktioniert jetzt)(?:[,.:;!–-]+ ?|$| (?=seit|wenn|mit|nachdem|weil))",
    explains=r"\b(?:muss|müssen|braucht|brauchen|darf|nur|nie|lag|war|fehlte|weil|ohne|nicht|erwartet|benötigt)\b",
    points_back=r"^(?:mach|tu)e? (?:das|so etwas|so was) (?:bitte )?(?:nie|niemals|nicht) (?:wieder|mehr|von allein|selbst)",
    wording=(
        (r"^bitte ", ""),
        (r"^(?:ab jetzt|ab sofort|von (?:jetzt|nun) an|in zukunft|künftig|zukünftig)[,:]? (?:bitte )?", ""),
    ),
)
