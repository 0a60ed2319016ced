"""Spanish."""

from __future__ import annotations

from slowwave.text.languages.grammar import Change, Day, Language, cue
from slowwave.text.languages.phrases import Phrases, phrases_cut

_NOUN = (
    r"(?:commits?|mensajes? de commit|pull requests?|prs?|ramas?|tests?|pruebas?|migraciones|migración|versiones|despliegues?|dependencias?|revisiones|comentarios?|"
    r"documentación|docs|changelog|funciones|función|métodos?|clases?|módulos?|archivos?|ficheros?|endpoints?|rutas?|handlers?|peticiones|consultas?|respuestas?|tablas?|columnas?|errores|mensajes? de error|"
    r"logs?|registros|marcas de tiempo|fechas?|horas|importes|precios|contraseñas?|secretos?|claves?|tokens?|variables?|constantes?|imports?|textos?|traducciones|paquetes?|servicios?|configuraciones|scripts?|archivos generados)"
)
_SUBJECT = (
    r"(?:(?:nuestr[oa]s?|el|la|los|las|este|esta|mi) (?:\w+ )?(?:proyecto|repo|repositorio|código|base de código|app|aplicación|api|backend|frontend|servicio|sitio|web|servidor|ci|pipeline|"
    r"base(?: de datos)?|cola|caché|clúster|docs|documentación|diseños|tickets|logs|métricas|secretos|releases|versiones|entorno|entornos|staging|producción|equipo|clientes|usuarios|"
    r"tests|build|paquete|paquetes|librería|biblioteca|firmware|juego|modelos|editor|zona horaria|nombre|rama(?: principal| por defecto)?|licencia|dominio|destino de despliegue|gestor de paquetes|framework|lenguaje|empresa|máquina|tienda|pagos|puerto))"
)
_DO = r"(?:escrib[ea]\w*|us[ae]\w*|utilic?[ez]\w*|utiliza\w*|emplea\w*|ejecut[ae]\w*|lanz[ae]\w*|pregunt[ae]\w*|enseñ[ae]\w*|muestr[ae]\w*|respond[ae]\w*|contest[ae]\w*|manten\w*|mantén\w*|pon\w*|haz|hagas|haga|añad[ea]\w*|agreg[au]\w*|borr[ae]\w*|elimin[ae]\w*|cambi[ae]\w*|modifi\w*|sub[ea]\w*|commit\w*|fusion\w*|prueb[ae]\w*|verific\w*|comprueb\w*|format\w*|nombr[ae]\w*|explic\w*|habl[ae]\w*|evit[ae]\w*|prefier\w*|prioriz\w*|dej[ae]\w*|toqu\w*|toc[ao]\w*|documenta\w*|regener\w*|firm[ae]\w*|abr[ea]\w*|pas[ae]\w*|revis[ae]\w*|instal[ae]\w*|public\w*|avis[ae]\w*|consult[ae]\w*|guard[ae]\w*|cre[ae]\w*|inventes?|adivin\w*|edit\w*|llam[ae]\w*)"

LANGUAGE = Language(
    code="es",
    day=Day(
        constraint=Phrases(
            words="""
            no cambies|no cambiar|no toques|no tocar|no modifiques|no borres|no elimines|no renombres|no añadas|no agregues|no uses|no rompas|no commitees|no hagas|nunca
            no debe|no deben|no puede pasar|no puede superar|tiene que seguir|tienen que seguir|debe seguir|deben seguir|deben pasar|debe ser|tiene que ser|sin dependencias nuevas|sin nuevas dependencias|ninguna dependencia nueva
            sin cambiar|sin tocar|sin modificar|deja .. como está|deja .. como estaba|deja .. igual|deja .. intacta|mantén|mantener|conserva|asegúrate|siempre|obligatorio|prohibido|usa solo|usa sólo|usa únicamente|solamente
            """,
            unless="nunca entendí|nunca pude|nunca logré|nunca vi|me pregunto|no entiendo por qué|nunca converg|nunca he|nunca había|nunca lo|debe de ser|debe ser un problema|debe ser el|debe ser la|no debería tardar|no debería ser|no consigo|no puedo|no sabemos|no sé|no veo|siempre falla|siempre se|siempre ha|nunca funcionó|nunca vi|no entiendo",
        ),
        weak=Phrases(
            words="como máximo|a lo sumo|solo|sólo|sin|como máximo|al menos|como mucho|en vez de|en lugar de|únicamente"
        ),
        acceptance=Phrases(
            words="está listo cuando|está terminado cuando|listo cuando|terminado cuando|hasta que|tienen que pasar|deben pasar|criterios de aceptación|todos los tests pasen|seguir pasando"
        ),
        decision=Phrases(words="usamos|vamos con|nos quedamos con|elegimos|decidido|hemos decidido"),
        lift=Phrases(words="ya puedes|ahora puedes|está permitido|tienes permiso"),
        rejected=Phrases(
            opening=True,
            words="no ese|no eso|no esa|no así|no es eso|no es así|no era|no te he|no te pedí|no quería|no me refería|no quise|no ese es|no ese no|no está bien|mal|incorrecto|está mal|así no|eso no|eso está mal|dije|he dicho|ya dije|te dije|me refería|quería decir|te olvidaste|has olvidado|otra vez te|has roto|por qué has|por qué quitaste|te equivocas|te has equivocado|no no",
            unless="no hay problema|no pasa nada|no es urgente|no hay prisa|mal formado",
        ),
        reverted=Phrases(
            words="deshaz|deshacer lo|revierte|vuelve atrás|vuelve a poner|restaura el|restaura la|quita lo que|deja .. como estaba antes",
            unless="botón de deshacer",
        ),
        repeated=Phrases(
            words="sigue siendo el|sigue siendo la|todavía es el|todavía es la|otra vez te|otra vez el mismo|otra vez lo mismo|sigue fallando|sigue sin|el mismo error|mismo problema|ya te lo dije|como dije|cuántas veces|de nuevo el mismo"
        ),
        renewed=Phrases(
            words="de ahora en adelante|a partir de ahora|desde ahora|en adelante|en el futuro|la próxima vez pregunta|la próxima vez ejecuta|la próxima vez usa|nunca más|deja de"
        ),
        starters=phrases_cut("no |pero |sin |usa solo |deja |mantén |nunca "),
    ),
    lead=(
        r"(?:ok|vale|sí|si|no|bien|genial|gracias|perfecto|entonces|y|pero|así que|hola|atención|importante|muy importante|ojo|por cierto|ps|pd|además|otra cosa|una cosa más|también|en realidad|corrección|cambié de opinión|he cambiado de opinión|olvida eso|olvídalo|por favor|nota|info)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:ok|vale|sí|y|pero|así que|también|por cierto|además|por favor|en realidad) "
    ),
    lasting_lead=(
        r"(?:por favor |y |también )*(?:recuerda|recordad|recuerde|ten(?:ed)? (?:siempre )?en cuenta|ten(?:ga)? presente|no olvides(?: nunca)?|toma nota|apunta|apúntate|para (?:que lo sepas|el futuro|la próxima|más adelante)|regla de oro|regla(?: número uno| básica)?|memoriza|que sepas|nota para ti|a tener en cuenta)(?: de)?(?: que)?(?: ?[–—]|[,:;!-])* (?!(?:lo que|cómo|me\b|eso|subir|hacer (?:push|commit))\b)"
    ),
    polite=r"¿?(?:puedes|podrías|puede|podría)(?: por favor)? (?=.*\b(?:siempre|nunca|a partir de ahora|en adelante|cada vez|en el futuro)\b)",
    question=r"[?？][\"')\]]*\s*$|^¿|^(?:por qué|cómo|dónde|cuándo|quién|qué|cuál|cuáles|deberíamos|podemos|será que)\b",
    hypothesis=r"\b(?:mirar|comprobar|ver|saber|decir|mira|comprueba|dime) si\b|\btendría sentido\b|\b(?:quizá|quizás|tal vez|a lo mejor|puede que|podríamos|podría ser|creo que|pienso que|supongo|me pregunto|imagino|probablemente|seguramente|no estoy seguro|sería (?:bueno|mejor|genial)|igual deberíamos|estoy pensando|y si)\b",
    passing=r"\b(?:esta vez|hoy|mañana|ayer|por ahora|de momento|por el momento|ahora mismo|temporalmente|todavía no|aún no|hasta que yo|para este (?:commit|pr|test|archivo)|en esta sesión|solo mira|solo dime|sólo mira|sólo dime|solo (?:quiero|analiza|leer)|más tarde|luego sigo)\b",
    condition=r"^(?:si|en caso de|a menos que|mientras|siempre que|siempre y cuando|cuando termin\w+)\b",
    report=rf"\bnunca (?:baja|sube|llega|termina|converge|pasa)\b|\balgo (?:va|anda|está) mal\b|\bnunca (?:conseguí|pude|logré|me|lo|la|he|había|hemos|\w+(?:é|í))\b|^(?!(?:siempre |nunca |no )*(?:{_DO})\b).*?(?:\b(?:siempre|nunca|cada vez|todo el tiempo|todos|todas|cada)\b.*\b(?:falla|se cae|cuelga|error|rompe|funciona|funcionó|termina|acaba|ejecutan|devuelve|muestra|tarda|pasa)\b|\bsigue (?:fallando|sin)\b|\bestá (?:roto|rota|rojo|roja|en rojo|caído|caída|lento|lenta|vacío|vacía)\b|\bel (?:problema|error|fallo) (?:es|está)\b)",
    spec=r"^quiero que (?:el|la|los|las) (?:tablas?|bot(?:ón|ones)|menús?|listas?|páginas?|pantallas?|ventanas?|imágen(?:es)?|imagen|textos?|iconos?|barras?)\b|^(?!.*\b(?:nunca|jamás|no)\b).*\b(?:debe(?:n|ría|rían)?|tiene(?:n)? que) .*\b(?:mostrar|mostrarse|aparecer|abrirse|cerrarse|verse)\b|\b(?:tooltip|insignia|banner|gráfico|pestaña)s?\b.*\b(?:debe|tiene|siempre)\b|\b(?:botón|botones|diálogo|ventana|fila|filas|icono|iconos|página|cabecera|tarjetas?|menú|campos?|formulario|lista|pasos?|nivel|popup|la tabla|la columna|pantalla|slice)\b.*\b(?:debe(?:n|ría|rían)?|tiene(?:n)? que|siempre|hay que)\b|\bcada .*\bde la tabla\b|\btodos los pasos\b",
    dangling=r"^(?:él|ella|ellos|ellas|eso|esto|aquello)\b|\b(?:es[ea]|est[ea]|aquel|aquella|el otro|la otra|el primer|la primera|el segundo|la segunda|el último|la última) (?:archivo|fichero|función|método|test|rama|commit|error|cambio|línea|parte|tarea|página|caso|carpeta|versión|paso)\b|\b(?:hazlo|cámbialo|bórralo|déjalo|ponlo|páralo)\b",
    joint=r"[;:] | ?[–—]+ ?| - |, (?:y|pero|así que|porque|entonces|por eso) |, (?=(?:siempre|nunca|no|a partir de ahora|solo|sólo|usamos|usa|sin)\b)|[.!?] ",
    request=r"^(?:por favor )?(?:arregla|mira|enseña|añade|borra|cambia|renombra|crea|busca|abre|ejecuta|para|mueve|corrige)\b",
    lasting=(
        cue(
            "preference",
            r"^(?:quiero|me gustaría|preferiría|prefiero|necesito) que (?:siempre|nunca|jamás) (?!(?:se|esté|sea|aparezca|salga)\b)\w+s\b.*|^(?:quiero|me gustaría) que los (?:commits?|tests|prs|mensajes|comentarios) .*\b(?:siempre|nunca)\b.*",
        ),
        cue(
            "preference",
            r"^cuando (?:subas|cambies|toques|añadas|hagas|modifiques|crees|edites|actualices|borres|renombres|uses|escribas)\b.*\b(?:siempre|nunca)\b.*",
        ),
        cue(
            "constraint",
            r"^(?:los|las|el|la|nuestr[oa]s?|un|una|cada) [\w -]{3,40} (?:debe(?:n)?|tiene(?:n)? que|hay que) .*\bantes de(?:l| la| cada|)? ?(?:commit|merge|push|despliegue|release|hacer commit|fusionar|publicar|subir)\b.*",
            r"^(?:los|las|nuestr[oa]s) [\w -]{3,40} (?:llevan|se llaman|empiezan|terminan|contienen|siguen) siempre\b.*",
            r"\b(?:aquí|nosotros)? ?siempre \w+mos\b(?! (?:problemas|errores|este|ese)\b).*",
        ),
        cue(
            "preference",
            r"\b(?:tutéame|trátame de (?:tú|usted))\b.*|\bsé (?:siempre )?(?:breve|conciso|concisa|directo)\b.*",
            r"^(?:aquí,? |en (?:nuestro|este) equipo,? )?(?:nadie|ninguno de nosotros) \w+.*",
            r".{10,},? (?:siempre|cada vez|sin excepción)[.!]?$",
            r"^pase lo que pase,? .{6,}",
        ),
        cue(
            "constraint",
            r"^(?:nunca|jamás|en ningún caso|bajo ningún concepto|no \w+ nunca|no \w+ jamás)\b(?! (?:he|ha|hemos|había|lo he|vi|funcion|term)\b).{6,}",
            rf"\b(?:{_DO}|se \w+|debes|hay que)\b.*\b(?:nunca|jamás)\b.*",
            r"\b\w+ (?:nunca|jamás) se (?:\w+n|\w+)\b.*",
            r"\b(?:está|están|queda|quedan) (?:estrictamente |totalmente )?prohibid[oa]s?\b.*|\b(?:es|son) obligatori[oa]s?\b.*",
            rf"^(?:todo|toda|todos los|todas las|cada|ningún|ninguna|los|las|nuestr[oa]s|un|una) (?:\w+ )?{_NOUN}\b(?!.*\b(?:de la tabla|de la página|del formulario)\b).*\b(?:debe(?:n|ría|rían)?|tiene(?:n)? que|no (?:debe|deben|puede|pueden)|necesita(?:n)?|siempre|nunca|va(?:n)? (?:en|al|junto))\b.*",
        ),
        cue(
            "preference",
            rf"^(?:{_DO})\b(?: [\w-]+){{0,2}}? siempre\b(?! que)(?! (?:falla|arriba|abajo|visible)).*|^siempre (?!(?:que|falla|se cae|me sale|ha|está|pasa)\b)\w+.{{4,}}",
            rf"\b(?:{_DO})\b.*\bsiempre[.! ]*$",
            r"^(?:por defecto|por norma|como norma),? .{6,}",
            r"\b(?:nosotros |yo )?(?:siempre|solo|sólo|únicamente) (?:usamos|escribimos|desplegamos|trabajamos|publicamos|revisamos|hacemos|uso|escribo|hago|trabajo|reviso)\b.*",
            r"\b(?:debes|tienes que|hay que|debéis) siempre\b.*",
        ),
        cue(
            "preference",
            r"\b(?:a partir de (?:ahora|hoy)|de (?:ahora|aquí|hoy) en adelante|en adelante|desde ahora|en el futuro|la próxima vez|en lo sucesivo)\b(?! ?\?).{6,}",
            r".{8,}\b(?:a partir de ahora|en adelante|en el futuro)[.! ]*$",
        ),
        cue(
            "preference",
            rf"\b(?:{_DO})\b.*\b(?:antes de|después de|tras|en|con|para) cada (?!(?:fila|clic|página|paso)\b)\w+.*",
            rf"^(?:antes de|después de|en|tras|con) cada (?!(?:fila|clic|arranque)\b)\w+[^.]*\b(?:{_DO}|hay que|debe)\b.*",
            r"^cada vez que (?:cambies|toques|modifiques|hagas|añadas|subas|edites|crees|uses)\b.*",
            r"\b(?:pregúnta(?:me|nos|le)|pregunta|consúlta(?:me|lo)|avísame)\b.*\bantes de\b(?! (?:hacerlo|eso)\b).*",
            r"\bsin (?:preguntar(?:me|nos)?|mi (?:permiso|aprobación|visto bueno)|avisar(?:me)?|autorización|consultar(?:me)?)\b",
        ),
        cue(
            "preference",
            r"^(?:us[ae]|utiliza|escribe|prefiere|emplea)\b(?! (?:el|la) (?:segund|primer|otr|botón)).*\b(?:en vez de|en lugar de|y no|, no|, nunca)\b.*",
            r"\bno (?:usamos|utilizamos|queremos|aceptamos|mockeamos|desplegamos|hacemos|damos|tenemos|necesitamos|soportamos|escribimos|commiteamos)\b(?! (?:más tiempo|idea|tiempo)\b).*",
            r"\b(?:usamos|desplegamos|escribimos|utilizamos) .*\b(?:solo|sólo|en vez de|en lugar de|y no|, no)\b.*",
            r"\bnada de (?!(?:momento|nada)\b)[\w-]+(?: [\w-]+)? en (?:las |los |el |la )?(?:respuestas?|commits?|código|tests|repo|producción)\b.*|^sin [\w-]+ en (?:las |los )?(?:respuestas|commits|comentarios)\b.*",
            r"^no uses [\w@.+-]+.*[,;].*\busa\w*\b.*",
        ),
        cue(
            "preference",
            r"\b(?:prefiero|preferimos|odio|detesto|no soporto|odiamos)\b(?! (?:eso|esto|ese|este|hacerlo|esperar)\b).*",
            r"\b(?:no )?me (?:gustan?|encantan?)\b(?! (?:eso|esto|ese|este|esa|la opción)\b).*",
        ),
        cue(
            "preference",
            r"^(?:responde|contesta|escribe|habla|explica|respóndeme|háblame)\b.*\ben (?:español|inglés|francés|alemán|portugués|chino|japonés)\b.*",
            r"^respuestas (?:cortas|breves|concisas)\b.*|^sé (?:breve|conciso|concisa|directo)\b.*|^(?:solo|sólo|únicamente) (?:el código|la respuesta|el comando)\b.*(?:sin|nada|no).*|^(?:responde|contesta) (?:brevemente|en corto|con listas)\b.*|^llámame (?-i:[A-Z])\w+.*",
        ),
        cue(
            "decision",
            r"\b(?:hemos|habíamos) (?:decidido|acordado|elegido|optado)\b.{8,}|\bdecidimos (?:usar|no|que|ir)\b.{4,}",
        ),
        cue(
            "constraint",
            r"\bes un (?:repo|repositorio|proyecto) (?:público|privado|abierto)\b.*",
            r"^(?:ya )?no (?:damos soporte|soportamos|usamos|mantenemos|trabajamos con|tenemos|publicamos)\b.*",
            r"\bno (?:hace falta|necesitamos|nos importa) (?:la )?(?:retro)?compat\w*.*",
        ),
        cue(
            "preference",
            r"^(?:en|para|bajo|sobre) (?!(?:est[ea]|es[ea]|ese momento)\b)[\w ./-]{2,40}?,? (?:siempre|nunca|jamás|solo|sólo|no uses|no se|hay que|usa)\b.*",
        ),
    ),
    facts=(
        cue(
            "fact",
            r"^(?:el|la|los|las) [\w -]{3,30} (?:lo|la|los|las) (?:genera|crea|envía|prepara|produce|calcula|publica|revisa)n? (?:un|una|el|la|nuestr\w+|(?-i:[A-Z]))\b.*",
            r"^(?:los|las|el|la|nuestr[oa]s?) [\w -]{3,40} (?:es|son) \w+[ai]d[oa]s? .*\bpor\b.*",
        ),
        cue(
            "fact",
            r"^(?:los|las|el|la|nuestr[oa]s?) [\w -]{3,40} (?:se \w+(?:a|e|an|en)|(?:es|son) \w+[ai]d[oa]s?|(?:es|son) hech[oa]s?) (?:cada|por|en cada|una vez)\b.*",
            r"^(?:el|la|los|las) [\w -]{3,30} (?:lo|la|los|las) (?:hace|lleva|gestiona|procesa|cubre)n? (?:un|una|el|la|nuestr\w+|(?-i:[A-Z]))\b.*",
            r"^(?:yo )?soy (?:el|la) únic[oa] que\b.*|^solo yo (?:puedo|tengo)\b.*",
        ),
        cue(
            "fact",
            r"^nuestr[oa]s? (?!(?:problema|error|bug|test|próxim)\w*\b)[\w-]+(?: [\w-]+){0,2} (?:trabaja(?:n)?|usa(?:n)?|utiliza(?:n)?|gestiona(?:n)?|corre(?:n)?|diseña(?:n)?|pasa(?:n)?|habla(?:n)?|vive(?:n)?) \w.*",
            r"^(?:los|las|el|la|nuestr[oa]s?) [\w -]{3,40} (?:se )?(?:procesan?|gestionan?|envían?|importan?|exportan?|calculan?|validan?|sincronizan?|traducen?|facturan?|firman?|indexan?|revisan?|aprueban?) (?:en|con|por|mediante|desde|cada)\b.*",
            r"^(?:los|las) [\w -]{3,30} (?:los|las) (?:procesa|gestiona|envía|importa|calcula|valida|revisa|aprueba|traduce|firma) (?:un|una|el|la|(?-i:[A-Z]))\b.*",
            r"\b\w+mos\b.*\bcada (?:día|semana|mes|noche|sprint|lunes|martes|miércoles|jueves|viernes)\b.*",
        ),
        cue(
            "fact",
            r"^(?:nosotros |aquí |en este \w+ )?(?:usamos|utilizamos|desplegamos|alojamos|soportamos|guardamos|publicamos|lanzamos|probamos|escribimos|trabajamos|gestionamos|seguimos|desarrollamos|apuntamos a|registramos|facturamos|revisamos|nos reunimos|compilamos|corremos|estamos (?:en|sobre|con) (?=\S*\d)) (?!(?:eso|esto|est[ea]|es[ea]|el botón|un bucle|una? \w+ aquí)\b)\S+.*",
            r"^(?:nuestro|el) equipo (?:usa|trabaja|se reúne|despliega|prefiere|publica|utiliza|está repartido)\b.*",
            r"^(?:no )?tenemos (?:dos|tres|cuatro|ningún|ninguna|entorno|equipo)\b.*|^no hay (?:entorno|staging|equipo|servidor de)\b.*",
        ),
        cue(
            "fact",
            rf"^{_SUBJECT}\b.{{0,40}}?\b(?:usa(?:n)?|utiliza(?:n)?|corre(?:n)?|vive(?:n)?|se llama(?:n)?|requiere(?:n)?|necesita(?:n)?|escucha|funciona(?:n)? (?:con|sobre|en)|depende(?:n)? de|apunta a|soporta|se reúne|publica|habla con|va(?:n)? (?:a|en))\b (?!(?:mal|lento|bien|fatal)\b)\S.*",
            rf"^{_SUBJECT}\b.{{0,30}}?\b(?:es|son|está|están|será)\b (?!(?:rot[oa]|roj[oa]|en rojo|caíd[oa]|lent[oa]|vací[oa]|en la línea|fallando|mal|bien|abajo)\b)(?:.*\b(?:escrit|alojad|desplegad|guardad|gestionad|construid|hech|generad|publicad|almacenad|configurad|entrenad|programad|documentad|mantenid)[oa]s? (?:en|con|por|sobre|de|mediante)\b.*|(?:un |una |el |la )?(?-i:[A-Z])\w.*|.*\d.*|(?:en|sobre|públic[oa]|privad[oa]) ?\S.*|\w+[.!]?$)",
            r"^(?-i:[A-ZÁÉÍÓÚ])[a-záéíóúñ]+ (?:revisa|aprueba|gestiona|decide|despliega|se encarga|lleva) .*",
        ),
        cue(
            "fact",
            r"^(?:yo )?(?:trabajo|vivo|desarrollo|programo|estoy basad[oa]) (?:desde|en|con|sobre|para)\b(?! (?:est[eao]|es[eao]|ello)\b).*",
            r"^(?:yo )?soy (?:zurd[oa]|daltónic[oa]|desarrollador\w*|el mantenedor|diseñador\w*|nuev[oa]|de)\b.*",
            r"^mi (?:nombre|zona horaria|editor|rol|máquina|apodo|shell) (?:es|está)\b.*|^me llamo\b.*",
        ),
    ),
    weak=(
        cue(
            "constraint",
            r"^no \w+(?:es|as|e|a|ar|er|ir)\b.*",
            r"\b(?:debe(?:n)?|tiene(?:n)? que|hay que)\b.*",
            r"^(?:sin|solo|sólo|nada de|ningún) .*",
            r"\basegúrate\b.*",
            r"\bevita\w*\b.*",
        ),
        cue("preference", r"^(?:usa|utiliza|prefiere|mantén) \w+.*"),
        cue("fact", r"\bya no \w+.*", r"\bestá (?:obsolet|deprecad)\w*.*"),
    ),
    change=(
        Change(
            r"\b(?:estamos |hemos |nos |el equipo )?(?:migrando|migrado|pasando|pasado|pasamos|migramos|cambiamos|cambiado|movemos|movido|moviendo)(?: \w+)? de (?P<old>[\w.+@-]+) a (?P<new>[\w.+@-]+)",
            "Usamos {new}.",
            "Usamos {new} en vez de {old}.",
        ),
        Change(
            r"\b(?:hemos )?(?:reemplazado|sustituido|reemplazamos|sustituimos) (?P<old>[\w.+@-]+) por (?P<new>[\w.+@-]+)",
            "Usamos {new}.",
            "Usamos {new} en vez de {old}.",
        ),
    ),
    fixed=r"(?:(?:sí|genial|gracias|perfecto|vale|ok|bien)[,.! ]+)*(?:era eso|eso era|ya funciona|ahora funciona|funciona ahora|eso lo (?:arregló|solucionó)|solucionado|arreglado|resuelto|con eso funciona)(?: ?[,.:;!–-]+ ?|$| (?=desde|cuando|con|si|porque))",
    explains=r"\b(?:debe|deben|hay que|tiene que|tienen que|faltaba|necesita|necesitaba|solo si|sólo si|nunca|porque|sin|no \w+|espera|exige|era)\b",
    points_back=r"^no (?:vuelvas a hacer|hagas) eso (?:nunca|otra vez|nunca más|por tu cuenta)",
    wording=(
        (
            r"^(?:a partir de (?:ahora|hoy)|de (?:ahora|aquí|hoy) en adelante|en adelante|desde ahora|en el futuro)[,:]? ",
            "",
        ),
        (r"^por favor,? ", ""),
    ),
)
