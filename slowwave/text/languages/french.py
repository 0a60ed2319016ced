"""French."""

from __future__ import annotations

from slowwave.text.languages.grammar import Change, Day, Language, cue
from slowwave.text.languages.phrases import Phrases, phrases_cut

_NOUN = (
    r"(?:commits?|messages? de commit|pull requests?|prs?|branches|tests?|migrations?|versions?|déploiements?|dépendances?|revues?|commentaires?|"
    r"documentation|docs|changelog|fonctions?|méthodes?|classes?|modules?|fichiers?|endpoints?|routes?|handlers?|requêtes?|réponses?|tables?|colonnes?|erreurs?|messages? d'erreur|"
    r"logs?|journaux|horodatages|dates?|heures|montants?|prix|mots de passe|secrets?|clés?|jetons?|variables?|constantes?|imports?|textes?|traductions?|paquets?|services?|configurations?|scripts?|fichiers générés)"
)
_SUBJECT = (
    r"(?:(?:notre|nos|le|la|les|l'|ce|cette|mon|ma) ?(?:\w+ )?(?:projet|dépôt|repo|code|base de code|appli(?:cation)?|api|backend|frontend|service|site|serveur|ci|pipeline|"
    r"base(?: de données)?|file(?: d'attente)?|queue|cache|cluster|doc(?:umentation)?|maquettes|tickets|logs|journaux|métriques|secrets|livraisons|versions|environnement|environnements|préproduction|production|staging|équipe|clients|utilisateurs|"
    r"tests|build|paquet|paquets|bibliothèque|firmware|jeu|modèles|éditeur|fuseau horaire|nom|branche(?: par défaut| principale)?|licence|domaine|cible de déploiement|gestionnaire de paquets|framework|langage|entreprise|machine|boutique|paiement|port))"
)
_DO = r"(?:écri[ts]\w*|utilise\w*|emploie\w*|lance\w*|exécute\w*|demande\w*|montre\w*|réponds?\w*|répondez|garde\w*|mets|mettez|fais|faites|ajoute\w*|supprime\w*|modifie\w*|change\w*|pousse\w*|commit\w*|fusionne\w*|teste\w*|vérifie\w*|formate\w*|nomme\w*|explique\w*|parle\w*|évite\w*|préfère\w*|laisse\w*|touche\w*|prends|prenez|documente\w*|régénère\w*|signe\w*|ouvre\w*|passe\w*|relis|relisez|installe\w*|publie\w*|indente\w*|journalise\w*|stocke\w*|crée\w*|devine\w*|invente\w*|dis|dites|consulte\w*|préviens|prévenez)"

LANGUAGE = Language(
    code="fr",
    day=Day(
        constraint=Phrases(
            words="""doivent continuer|doit continuer|doivent marcher|doit marcher|
            ne change pas|ne changez pas|ne modifie pas|ne modifiez pas|ne touche pas|ne touchez pas|ne supprime pas|ne renomme pas|n'ajoute pas|n'utilise pas|ne casse pas|ne commite pas
            ne .. jamais|ne doit pas|ne doivent pas|ne peut pas dépasser|doivent toujours|doit toujours|doivent .. passer|doit rester|doivent rester|doit être|pas de nouvelles|pas de nouvelle|pas de nouveau|pas de nouveaux|aucune nouvelle|aucun nouveau
            sans modifier|sans toucher|sans changer|laisse .. telle quelle|laisse .. tel quel|laisse .. tranquille|laisse .. tranquilles|laisse .. intacts|ne doit pas changer|ne doivent pas changer|garde|conserve|préserve|assure-toi|veille à|toujours|surtout pas|obligatoirement|interdit
            utilise seulement|utilise uniquement|uniquement|seulement la
            """,
            unless="je n'ai jamais|n'ai jamais|ça doit être|ce doit être|doit être un|doit être une|doit venir|ne devrait pas prendre|ça ne devrait|je n'arrive|nous ne savons|je ne sais|je ne vois|toujours pas|toujours la même|échoue toujours|plante toujours|a toujours|ça marche toujours|n'a jamais|je ne comprends",
        ),
        weak=Phrases(
            words="au maximum|seulement|uniquement|sans|au plus|au maximum|au moins|plutôt que|au lieu de|dépasser"
        ),
        acceptance=Phrases(
            words="c'est fini quand|c'est terminé quand|terminé quand|fini quand|jusqu'à ce que|doivent passer|doivent être verts|critères d'acceptation|doit passer"
        ),
        decision=Phrases(words="on prend|on part sur|on choisit|nous prenons|nous choisissons|décidé|on garde"),
        lift=Phrases(words="tu peux maintenant|vous pouvez maintenant|c'est bon pour|tu as le droit"),
        rejected=Phrases(
            opening=True,
            words="non|faux|c'est faux|pas ça|pas comme ça|ce n'est pas|ce n'était pas|c'est pas|je n'ai pas demandé|je n'ai pas dit|j'ai dit|j'avais dit|je voulais dire|tu t'es trompé|tu as oublié|tu as encore|tu as cassé|pourquoi as-tu|pourquoi tu as|mauvais fichier|arrête tu",
            unless="non merci|pas de problème|non rien|ce n'est pas grave|ce n'est pas urgent|ce n'est rien",
        ),
        reverted=Phrases(
            words="annule la|annule le|annule ta|annule ton|annule tes|annule ce|annule tout|annule ça|reviens en arrière|remets .. comme|rétablis|restaure le|défais",
            unless="bouton annuler",
        ),
        repeated=Phrases(
            words="encore l'ancien|encore l'ancienne|toujours l'ancien|toujours l'ancienne|encore oublié|encore une fois|toujours la même|toujours le même|même erreur|même problème|échoue toujours|ça ne marche toujours pas|je l'ai déjà dit|combien de fois|encore la même",
            unless="encore une fois merci",
        ),
        renewed=Phrases(
            words="désormais|dorénavant|à partir de maintenant|à l'avenir|la prochaine fois demande|la prochaine fois lance|plus jamais|arrête de|cesse de"
        ),
        starters=phrases_cut("ne |n'|mais |pas de |sans |garde |laisse |utilise seulement |assure-toi "),
    ),
    lead=(
        r"(?:ok(?:ay)?|oui|non|bon|bien|super|merci|parfait|alors|et|mais|donc|salut|bonjour|attention|important|très important|au fait|ps|d'ailleurs|encore une chose|autre chose|aussi|en fait|finalement|correction|j'ai changé d'avis|oublie ça|s'il te plaît|s'il vous plaît|svp|stp|note|remarque|info)(?: ?[–—]| ?[,.:;!-])+ |"
        r"(?:ok|oui|et|mais|donc|alors|aussi|au fait|en fait|s'il te plaît|svp|stp) "
    ),
    lasting_lead=(
        r"(?:s'il te plaît |et |aussi )*(?:retiens|retenez|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|n'oublie (?:pas|jamais)|n'oubliez (?:pas|jamais)|garde(?:z)? (?:bien )?(?:à l'esprit|en tête)|note(?:z)?(?: bien)?|sache(?:z)?|pour (?:info|mémoire|la suite|plus tard|la prochaine fois)|à retenir|à noter|règle d'or|règle(?: numéro un| de base)?|mémorise(?:z)?)(?: (?:que|qu'))?(?: ?[–—]| ?[,:;!-])* (?!(?:ce que|comment|de (?!ne jamais|toujours)|moi|ça)\b)"
    ),
    polite=r"(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|est-ce que tu peux)(?: s'il te plaît)? (?=.*\b(?:toujours|jamais|désormais|à l'avenir|à chaque|dorénavant)\b)",
    question=r"[?？][\"')»\]]*\s*$|^(?:pourquoi|comment|où|quand|qui|que|quoi|quel(?:le|s|les)?|est-ce|faut-il|doit-on|devons-nous|devrait-on|peut-on|a-t-on|utilise-t-on|y a-t-il|combien)\b",
    hypothesis=r"\b(?:regarder|vérifier|voir|savoir|dire|regarde|vérifie|dis-moi) si\b|\b(?:peut-être|éventuellement|je (?:crois|pense|me demande|suppose|dirais)|sans doute|probablement|pas sûr|pas certain|on pourrait|pourrait(?:-on)?|ce serait|il faudrait peut|et si|j'imagine|serait-il|j'hésite)\b",
    passing=r"\b(?:cette fois|aujourd'hui|demain|hier|pour l'instant|pour le moment|en ce moment|tout de suite|(?<!de\W)(?<!dès\W)maintenant|provisoirement|temporairement|pas encore|jusqu'à ce que je|pour ce (?:commit|test|fichier)|pour cette (?:tâche|pr)|dans cette session|regarde seulement|dis-moi (?:juste|seulement)|juste (?:regarder|lire)|plus tard)\b",
    condition=r"^(?:si|s'il|s'ils|au cas où|tant que|à moins|à condition|dès que|en cas)\b",
    report=rf"\b(?:descend|monte|passe|tombe) (?:toujours|jamais)\b|\bil y a un (?:souci|problème|bug)\b|\bquelque chose (?:cloche|ne va pas)\b|\bje n'ai jamais\b|\bjamais (?:réussi|pu|vu|eu)\b|\bon n'a jamais\b|^(?!(?:toujours |ne |jamais )*(?:{_DO})\b|(?:ne|n') ).*?(?:\b(?:toujours|jamais|tout le temps|à chaque fois|chaque|tous|toutes)\b.*\b(?:plante|échoue|bloque|erreur|casse|marche|fonctionne|termine|finit|tournent|tourne|renvoie|affiche|arrive)\b|\b(?:plante|échoue|bloque|casse|marche|fonctionne) .*\b(?:toujours|jamais|chaque fois)\b|\btoujours (?:pas|la même|le même)\b|\best (?:cassée?|rouge|arrêtée?|lente?|vide|en panne|tombée?)\b|\ble (?:problème|bug) (?:est|vient)\b)",
    spec=r"^(?!.*\b(?:aucun|jamais)\b).*\b(?:doi(?:t|vent)|devrai(?:t|ent)) .*\b(?:afficher|s'afficher|s'ouvrir|se fermer|apparaître|montrer|ressembler)\b|\b(?:infobulle|badge|bannière|graphique|onglet|tooltip)s?\b.*\b(?:doi(?:t|vent)|toujours)\b|\b(?:bouton|boutons|boîte de dialogue|dialogue|fenêtre|ligne|lignes|icône|icônes|page|en-tête|carte|cartes|menu|champ|champs|formulaire|liste|étape|étapes|niveau|popup|le tableau|la colonne|l'écran|slice)\b.*\b(?:doi(?:t|vent)|devrai(?:t|ent)|faut|toujours|aura|auront)\b|\bchaque .*\bdu tableau\b|\btoutes les étapes\b",
    dangling=r"^(?:il(?! faut)|elle|ils|elles|ça|cela|ceci|c'est)\b(?! est (?:interdit|obligatoire))|\b(?:ce|cet|cette|ces|l'autre|le premier|la première|le second|la seconde|le deuxième|la deuxième|le dernier|la dernière) (?:fichier|fonction|méthode|test|branche|commit|erreur|changement|ligne|partie|tâche|page|cas|dossier|version|étape)\b|\b(?:fais|change|supprime|laisse|garde|mets)-(?:le|la|les)\b",
    joint=r" ?[;:] | ?[–—]+ ?| - |, (?:et|mais|donc|alors|car|parce que) |, (?=(?:toujours|jamais|ne|n'|désormais|uniquement|seulement|on|nous|utilise|pas)\b)|[.!?] ",
    request=r"^(?:s'il te plaît )?(?:corrige|regarde|montre|ajoute|supprime|change|renomme|crée|cherche|ouvre|lance|arrête|déplace)\b",
    lasting=(
        cue("preference", r"^quand (?:tu|vous) \w+\b.*\b(?:toujours|jamais)\b.*"),
        cue(
            "constraint",
            r"^(?:les|la|le|l'|nos|un|une|chaque) ?[\w' -]{3,40} (?:doi(?:t|vent)|faut) .*\bavant (?:le |la |chaque |d'être )?(?:commit|fusion|merge|push|déploiement|livraison|commit[ée]s?|fusionn[ée]e?s?|pouss[ée]s?|déploy[ée]e?s?)\b.*",
            r"^(?:les|nos) [\w' -]{3,40} (?:portent|s'appellent|commencent|finissent|contiennent|restent|suivent) (?:toujours|obligatoirement)\b.*",
        ),
        cue(
            "preference",
            r"\b(?:tutoie|vouvoie)(?:-moi|z-moi|-nous)\b.*|\b(?:fais|fais-moi|donne|donne-moi) (?:toujours )?des réponses (?:courtes|brèves|concises)\b.*|\bsois (?:toujours )?(?:bref|brève|concis|concise)\b.*",
            r"^(?:chez nous,? |ici,? )?(?:personne|aucun de nous) (?:ne |n')\w+.*",
            r".{10,},? (?:toujours|à chaque fois|sans exception)[.!]?$",
            r"^quoi qu'il arrive,? .{6,}",
        ),
        cue(
            "constraint",
            r"\b(?:ne|n')(?: ?[\w'-]+){1,3}? (?:jamais|plus jamais)\b(?!.*\b(?:vu|utilisé|eu|entendu|fini|marché)\b).*",
            r"^(?:jamais|plus jamais|en aucun cas|sous aucun prétexte|ne jamais)\b .{6,}",
            r"\bse (?:\w+ )?jamais\b.{4,}|\bne se \w+ jamais\b.*",
            r"\b(?:est|sont) (?:strictement |formellement )?(?:interdit|interdits|interdite|interdites|proscrit\w*|obligatoires?)\b.*",
            rf"^(?:tout|toute|tous les|toutes les|chaque|aucun|aucune|les|nos|un|une) (?:\w+ )?{_NOUN}\b(?!.*\b(?:du tableau|de la page|du formulaire)\b).*\b(?:doi(?:t|vent)|devrai(?:t|ent)|ne (?:doit|doivent|peut|peuvent)|sont toujours|reste(?:nt)?|vont|se (?:trouve|range|mette))\b.*",
        ),
        cue(
            "preference",
            rf"\b(?:{_DO})\b(?:[ -][\w'-]+){{0,3}}? (?:toujours|systématiquement)\b.*",
            r"^(?:toujours|systématiquement|par défaut,?|en règle générale,?) (?!(?:pas|la même|le même)\b)\w+.{4,}",
            r"\b(?:nous|on|tu|vous|je) (?:\w+ )?(?:\w+ )?(?:toujours|systématiquement|uniquement)\b(?! (?:pas|la même|le même|cette erreur)\b)(?!.*\b(?:erreur|problème)\b).{4,}",
            r"\b(?:tu dois|vous devez|il faut) (?:toujours|systématiquement|absolument)\b.*",
        ),
        cue(
            "preference",
            r"\b(?:à partir de maintenant|dorénavant|désormais|à l'avenir|dès maintenant|à partir d'aujourd'hui|la prochaine fois)\b(?! ?\?).{6,}",
            r".{8,}\b(?:désormais|dorénavant|à l'avenir)[.! ]*$",
        ),
        cue(
            "preference",
            rf"\b(?:{_DO})\b.*\b(?:avant|après|à|pour|dans) chaque (?!(?:ligne|clic|page|étape)\b)\w+.*",
            rf"^(?:avant|après|à|pour) chaque (?!(?:ligne|clic|démarrage)\b)\w+[^.]*\b(?:{_DO}|il faut|doit)\b.*",
            r"\bchaque fois que (?:tu|vous)\b.*",
            r"\bdemande(?:z)?(?:-moi|-nous|-lui)?\b.*\bavant (?:de|d'|chaque|toute?)(?! (?:le|la|les) faire\b).*",
            r"\bsans (?:mon accord|me demander|demander|autorisation|validation|mon avis)\b",
        ),
        cue(
            "preference",
            r"^(?:utilise\w*|emploie\w*|écri\w+|prends|préfère\w*)\b(?! (?:le|la) (?:deuxième|seconde?|premi\w+|autre|bouton)).*\b(?:au lieu d\w*|plutôt qu\w*|et non|, pas|, jamais)\b.*",
            r"\b(?:on|nous) (?:n'|ne )(?:utilise|utilisons|prend|prenons|veut|voulons|accepte|supporte|déploie|mocke|commite|fait|faisons|a besoin|avons besoin)\b.*\b(?:pas|plus|que|aucun\w*)\b.*",
            r"\b(?:on|nous) (?:utilise|utilisons|prend|prenons|déploie|déployons|écrit|écrivons) .*\b(?:uniquement|seulement|et non|pas|plutôt qu\w*|au lieu d\w*).*",
            r"^(?:pas d'|pas de |aucun |aucune )(?!(?:problème|souci|changement|idée)\b)[\w-]+ dans (?:les |le |la )?(?:réponses?|commits?|code|tests|dépôt|production)\b.*",
            r"^n'utilise(?:z)? pas [\w@.+-]+.*[,;].*",
        ),
        cue(
            "preference",
            r"\b(?:je|nous|on) (?:préfère|préférons|déteste)\b(?! (?:ça|cela|ce|cette|le faire|attendre)\b).*",
            r"\bj'(?:aime|aimerais toujours|ai horreur)\b(?! (?:bien )?(?:ça|cela|ce|cette|l'option)\b).*|\bje (?:n'aime pas|ne supporte pas|n'aime)\b(?! (?:ça|cela|ce|cette)\b).*",
        ),
        cue(
            "preference",
            r"^(?:réponds|répondez|écris|écrivez|parle|parlez|explique|expliquez)(?:-moi)?\b.*\ben (?:français|anglais|allemand|espagnol|chinois|japonais)\b.*",
            r"^(?:des )?réponses? (?:courtes?|brèves?|concises?)\b.*|^sois (?:bref|concis|brève|concise|direct)\b.*|^(?:juste|seulement|uniquement) (?:le code|la réponse|la commande)\b.*(?:sans|pas d).*|^(?:réponds|répondez) (?:brièvement|court|en liste)\b.*",
        ),
        cue("decision", r"\b(?:nous avons|on a) (?:décidé|choisi|opté|convenu)\b.{8,}"),
        cue(
            "constraint",
            r"\bc'est un (?:dépôt|projet|repo) (?:public|privé|open source)\b.*",
            r"\b(?:pas|plus) besoin de (?:rétro|compat)\w*.*",
            r"\b(?:on|nous) (?:n'|ne )\w+ (?:plus|pas) en charge\b.*",
        ),
        cue(
            "preference",
            r"^(?:dans|pour|sous|sur|en) (?!(?:cette|ce|cet|l'instant)\b)[\w' ./-]{2,40}?,? (?:toujours|ne|n'|jamais|uniquement|il faut|on ne|on n'|nous ne)\b.*",
        ),
    ),
    facts=(
        cue(
            "fact",
            r"^je (?:travaille|développe|code|suis) (?:sous|sur|avec) (?-i:(?:Windows|Mac|macOS|Linux|Ubuntu|Debian|Fedora|Arch|WSL|Android|iOS))\b.*",
            r"^(?:les|la|le|l'|nos|notre) ?[\w' -]{3,40} (?:est|sont) \w+(?:é|i|it)e?s? .*\bpar\b .*",
        ),
        cue(
            "fact",
            r"^(?:les|la|le|l'|nos|notre) ?[\w' -]{3,40} (?:est|sont) (?:\w+(?:é|i|it|is|u|ert)e?s?) (?:par|tous les|toutes les|chaque|une fois)\b.*",
            r"^je suis l[ea] seule? (?:à|qui)\b.*|^moi seule? (?:peux|peut)\b.*|^il n'y a que moi\b.*",
        ),
        cue(
            "fact",
            r"^chez nous,? .{6,}",
            r"^nos? (?!(?:problème|bug|test|prochain)\w*\b)[\w'-]+(?: [\w'-]+){0,2} (?:travaille(?:nt)?|utilise(?:nt)?|passe(?:nt)?|gère(?:nt)?|tourne(?:nt)?|dessine(?:nt)?|occupe(?:nt)?|parle(?:nt)?|se trouve(?:nt)?) \w.*",
            r"^(?:les|la|le|nos|notre) [\w' -]{3,40} (?:est|sont) (?:traitée?s?|gérée?s?|envoyée?s?|importée?s?|exportée?s?|calculée?s?|validée?s?|synchronisée?s?|traduite?s?|facturée?s?|signée?s?|indexée?s?|relue?s?|approuvée?s?) (?:par|dans|avec|via|chez|sur|en)\b.*",
            r"^(?:nous|on) .*\b(?:chaque|tous les|toutes les) (?:jour|jours|semaine|semaines|mois|nuit|nuits|lundi|mardi|mercredi|jeudi|vendredi)s?\b.*",
        ),
        cue(
            "fact",
            r"^(?:nous|on|notre équipe|l'équipe) (?:utilis|déploy|déploie|héberg|support|stock|livr|publi|test|écri|travaill|gér|gère|suiv|suit|suis|cibl|loggu|vis|se réuni|dévelop|command|factur)\w*(?: \w+)? (?!(?:ça|cela|ce|cette|le mauvais|une boucle|un boucle)\b)\S+.*",
            r"^(?:nous sommes|on est) (?:encore )?(?:en|sur|sous) [\w.+-]+ ?v?\d[\w.]*.*",
            r"^(?:nous avons|on a|nous n'avons|on n'a|il n'y a) (?:pas d'|pas de |deux|trois|quatre|aucun|que)\b.*",
        ),
        cue(
            "fact",
            rf"^{_SUBJECT}\b.{{0,40}}?\b(?:utilise(?:nt)?|tourne(?:nt)?|s'appelle(?:nt)?|se trouve(?:nt)?|vi(?:t|vent)|nécessite(?:nt)?|exige|écoute|passe(?:nt)? par|repose(?:nt)? sur|cible|supporte|dépend|parle à|se réunit|publie|livre|va(?:\b| dans))\b (?!(?:mal|pas|lentement)\b)\S.*",
            rf"^{_SUBJECT}\b.{{0,30}}?\b(?:est|sont|sera)\b (?!(?:cassée?|rouge|arrêtée?|lente?|vide|pas|encore|en panne|en cours|à la ligne)\b)(?:.*\b(?:écrite?s?|hébergée?s?|déployée?s?|stockée?s?|gérée?s?|suivie?s?|construite?s?|générée?s?|publiée?s?|faite?s?|rangée?s?|configurée?s?|conservée?s?) (?:en|sur|avec|dans|par|chez|sous|le|la|via)\b.*|(?:un |une |le |la |l')?(?-i:[A-Z])\w.*|.*\d.*|(?:publique?|privée?|dans|sur|chez) \S.*|\w+[.!]?$)",
            r"^(?-i:[A-ZÉÈ])[a-zéèêïî]+ (?:relit|valide|approuve|gère|s'occupe|déploie|décide|vérifie) .*",
        ),
        cue(
            "fact",
            r"^(?:je travaille|j'habite|je vis|je développe|je code|je suis basée?) (?:depuis|à|en|au|chez|sur|avec|dans)\b(?! (?:cette|ce|le bug)).*",
            r"^je suis (?:gauch\w+|dalton\w+|développeu\w+|le mainteneur|la mainteneuse|designer|débutant\w*|graphiste)\b.*",
            r"^(?:mon|ma) (?:nom|fuseau horaire|éditeur|prénom|rôle|machine|pseudo) (?:est|s'appelle)\b.*|^appelle-moi (?-i:[A-Z])\w+.*|^je m'appelle\b.*",
        ),
    ),
    weak=(
        cue(
            "constraint",
            r"\b(?:ne|n')\w* ?\w+ pas\b.*",
            r"\b(?:doi(?:t|vent)|il faut|devez|dois)\b.*",
            r"^(?:pas d|aucun|seulement|uniquement)\w*.*",
            r"\bassure-toi\b.*",
            r"\bévite\w*\b.*",
        ),
        cue("preference", r"^(?:utilise|prends|garde|emploie)\w* \w+.*"),
        cue("fact", r"\b(?:n'|ne )\w+ plus\b.*", r"\best (?:obsolète|dépréciée?)\b.*"),
    ),
    change=(
        Change(
            r"\b(?:nous|on|l'équipe) (?:\w+ )?(?:passons|passe|migrons|migre|avons migré|a migré|sommes passés|est passé|est passée|basculons|bascule|remplaçons|quittons) (?:\w+ )?de (?P<old>[\w.+@-]+) (?:à|vers|sur|pour) (?P<new>[\w.+@-]+)",
            "Nous utilisons {new}.",
            "Nous utilisons {new} au lieu de {old}.",
        ),
        Change(
            r"\b(?:nous|on|l'équipe) (?:avons |a )?rempla(?:çons|ce|cé) (?P<old>[\w.+@-]+) par (?P<new>[\w.+@-]+)",
            "Nous utilisons {new}.",
            "Nous utilisons {new} au lieu de {old}.",
        ),
    ),
    fixed=r"(?:(?:oui|super|merci|parfait|ok|bien|génial)[,.! ]+)*(?:c'était ça|ça marche(?: maintenant)?|ça fonctionne(?: maintenant)?|c'est réglé|c'est corrigé|problème résolu|résolu|réglé|ça a (?:marché|réglé le problème))(?: ?[,.:;!–-]+ ?|$| (?=depuis|quand|avec|si|parce))",
    explains=r"\b(?:doit|doivent|faut|fallait|manquait|besoin|seulement|que si|jamais|parce que|sans|n'\w+ pas|ne \w+ pas|attend|exige|était)\b",
    points_back=r"^ne (?:fais|faites|refais) (?:plus )?(?:jamais |plus )?(?:ça|cela)\b",
    wording=((r"^(?:à partir de maintenant|dorénavant|désormais|à l'avenir)[,:]? ", ""), (r"^s'il te plaît,? ", "")),
)
