"""Portuguese."""

from __future__ import annotations

from slowwave.text.languages.grammar import Change, Day, Language, cue
from slowwave.text.languages.phrases import Phrases, phrases_cut

_NOUN = (
    r"(?:commits?|mensagens? de commit|mensagem de commit|pull requests?|prs?|branches?|ramos?|testes?|migrações|migração|migrations?|versões|deploys?|dependências?|revisões|comentários?|"
    r"documentação|docs|changelog|funções|função|métodos?|classes?|módulos?|arquivos?|ficheiros?|endpoints?|rotas?|handlers?|requisições|consultas?|respostas?|tabelas?|colunas?|erros|mensagens? de erro|"
    r"logs?|registros|timestamps?|datas?|horas|horários|valores|preços|senhas?|segredos?|chaves?|tokens?|variáveis|constantes?|imports?|textos?|traduções|pacotes?|serviços?|configurações|scripts?|arquivos gerados)"
)
_SUBJECT = (
    r"(?:(?:nosso|nossa|nossos|nossas|o|a|os|as|este|esta|meu|minha) (?:\w+ )?(?:projeto|repo|repositório|código|base de código|app|aplicativo|aplicação|api|backend|frontend|serviço|site|servidor|ci|pipeline|"
    r"banco(?: de dados)?|base(?: de dados)?|fila|cache|cluster|docs|documentação|designs|tickets|logs|métricas|segredos|releases|versões|ambiente|ambientes|staging|homologação|produção|equipe|equipa|time|clientes|usuários|"
    r"testes|build|pacote|pacotes|biblioteca|firmware|jogo|modelos|editor|fuso horário|nome|branch(?: padrão| principal)?|licença|domínio|destino de deploy|gerenciador de pacotes|framework|linguagem|empresa|máquina|loja|pagamentos|porta))"
)
_DO = r"(?:escrev[ae]\w*|us[ae]\w*|utiliz\w*|empreg\w*|execut[ae]\w*|(?:rod[ae]|rode)\w*|pergunt[ae]\w*|mostr[ae]\w*|respond[ae]\w*|manten\w*|coloqu\w*|coloca\w*|faça\w*|faz\b|adicion\w*|apag[au]\w*|remov[ae]\w*|delet[ae]\w*|mud[ae]\w*|alter[ae]\w*|modifi\w*|sub[ai]\w*|commit\w*|envi[ae]\w*|test[ae]\w*|verifi\w*|formata?\w*|nomei\w*|expliqu\w*|explica\w*|fal[ae]\w*|evit[ae]\w*|prefir\w*|deix[ae]\w*|mex[ae]\w*|toqu\w*|document[ae]\w*|regener\w*|assin[ae]\w*|abr[ae]\w*|pass[ae]\w*|revis[ae]\w*|instal[ae]\w*|publi\w*|avis[ae]\w*|consult[ae]\w*|guard[ae]\w*|salv[ae]\w*|cri[ae]\w*|invent[ae]\w*|adivinh\w*|edit\w*|cham[ae]\w*)"

LANGUAGE = Language(
    code="pt",
    day=Day(
        constraint=Phrases(
            words="""
            não mude|não mudar|não altere|não mexa|não mexer|não toque|não modifique|não apague|não remova|não renomeie|não adicione|não use|não quebre|não faça|não commite|nunca
            não deve|não devem|não pode passar|não pode ultrapassar|tem que continuar|têm que continuar|deve continuar|devem continuar|devem passar|deve ser|tem que ser|sem novas dependências|sem dependências novas|nenhuma dependência nova
            sem mudar|sem mexer|sem alterar|sem tocar|deixe .. como está|deixe .. como estava|deixa .. como está|mantenha|manter|preserve|garanta|certifique-se|sempre|obrigatório|proibido|use apenas|use só|use somente|apenas
            """,
            unless="nunca entendi|nunca pude|nunca consegui|me pergunto|não entendo por que|nunca converg|nunca usei|nunca vi|nunca tive|nunca mexi|deve ser um problema|deve ser o|deve ser a|deve ser problema|não deve demorar|não deve ser difícil|não consigo|não posso|não sabemos|não sei|não vejo|sempre falha|sempre cai|sempre foi|nunca funcionou|não entendo|nunca recebi",
        ),
        weak=Phrases(words="só|somente|sem|no máximo|pelo menos|em vez de|ao invés de|apenas"),
        acceptance=Phrases(
            words="pronto quando|está pronto quando|terminado quando|concluído quando|até que|têm que passar|devem passar|critérios de aceitação|testes passarem|continuar passando"
        ),
        decision=Phrases(words="vamos com|vamos usar|ficamos com|escolhemos|decidido|decidimos"),
        lift=Phrases(words="agora você pode|agora pode|já pode|está liberado|você tem permissão"),
        rejected=Phrases(
            opening=True,
            words="não esse|não essa|não isso|não assim|não é isso|não é esse|não era|não foi isso|não pedi|não quis dizer|não queria|errado|está errado|assim não|isso não|isso está errado|eu disse|já disse|eu falei|quis dizer|você esqueceu|esqueceu de novo|você quebrou|por que você|você errou|não não",
            unless="não tem problema|não há problema|não é urgente|não tem pressa",
        ),
        reverted=Phrases(
            words="desfaça|desfaz|reverta|reverte|volte atrás|coloque de volta|restaure o|restaure a|tire o que",
            unless="botão de desfazer",
        ),
        repeated=Phrases(
            words="ainda é o|ainda é a|continua sendo|de novo o mesmo|os testes de novo|continua falhando|continua dando|ainda dá o mesmo|o mesmo erro|mesmo problema|já te disse|como eu disse|quantas vezes|outra vez o mesmo"
        ),
        renewed=Phrases(
            words="de agora em diante|a partir de agora|daqui para frente|daqui pra frente|no futuro|da próxima vez pergunte|da próxima vez rode|da próxima vez use|nunca mais|pare de"
        ),
        starters=phrases_cut("não |mas |sem |use apenas |deixe |mantenha |nunca "),
    ),
    lead=(
        r"(?:ok|certo|sim|não|bom|bem|ótimo|obrigad[oa]|perfeito|então|e|mas|oi|olá|atenção|importante|muito importante|aliás|a propósito|ps|além disso|outra coisa|mais uma coisa|também|na verdade|correção|mudei de ideia|esquece isso|esqueça isso|por favor|nota|info|obs)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:ok|sim|e|mas|então|também|aliás|por favor|na verdade) "
    ),
    lasting_lead=(
        r"(?:por favor |e |também )*(?:lembre(?:-se)?|lembra|lembrem-se|tenha(?:m)? (?:sempre )?em mente|leve em conta|não (?:se )?esqueça(?: nunca)?|tome nota|anote|anota aí|para (?:sua informação|o futuro|a próxima|mais tarde|referência futura)|regra de ouro|regra(?: número um| básica)?|memorize|saiba|fique sabendo|nota para você|observação|observe)(?: de| sempre)?(?: que)?(?: ?[–—]|[,:;!-])* (?!(?:o que|como|me\b|isso|de (?!nunca|sempre)|subir|fazer)\b)"
    ),
    polite=r"(?:você pode|pode|poderia|você poderia|dá para)(?: por favor)? (?=.*\b(?:sempre|nunca|a partir de agora|daqui para frente|toda vez|no futuro)\b)",
    question=r"[?？][\"')\]]*\s*$|^(?:por que|porque será|como|onde|quando|quem|o que|qual|quais|devemos|deveríamos|podemos|será que)\b",
    hypothesis=r"\b(?:ver|verificar|olhar|saber|dizer|veja|verifique|me diga) se\b|\bfaria sentido\b|\b(?:talvez|quem sabe|pode ser que|poderíamos|poderia ser|acho que|eu acho|penso que|suponho|me pergunto|imagino|provavelmente|não tenho certeza|seria (?:bom|melhor|ótimo)|deveríamos talvez|estou pensando|e se)\b",
    passing=r"\b(?:desta vez|dessa vez|hoje|amanhã|ontem|por enquanto|por ora|no momento|agora mesmo|temporariamente|ainda não|até eu|para este (?:commit|pr|teste|arquivo)|nesta sessão|só olhe|só olha|só me diga|apenas (?:olhe|diga|analise)|só (?:quero|analise|leia)|mais tarde|depois continuo)\b",
    condition=r"^(?:se|caso|a menos que|enquanto|desde que|quando terminar)\b",
    report=rf"\bnunca (?:fica|cai|sobe|chega|termina|converge|passa)\b|\b(?:tem|há) algo errado\b|\bnunca (?:consegui|pude|me|vi|tive|usei|\w+ei|\w+i)\b|^(?!(?:sempre |nunca |não )*(?:{_DO})\b(?! cai| falha)).*?(?:\b(?:sempre|nunca|toda vez|o tempo todo|todos|todas|cada)\b.*\b(?:falha|cai|trava|erro|quebra|funciona|funcionou|termina|acaba|rodam|retorna|mostra|demora|acontece)\b|\bcontinua (?:falhando|dando|sem)\b|\bestá (?:quebrad[oa]|vermelh[oa]|fora do ar|lent[oa]|vazi[oa])\b|\bo (?:problema|erro|bug) (?:é|está)\b)",
    spec=r"^(?!.*\b(?:nunca|jamais|não)\b).*\b(?:deve(?:m|ria|riam)?|tem que|têm que) .*\b(?:mostrar|exibir|aparecer|abrir|fechar|parecer)\b|\b(?:tooltip|selo|banner|gráfico|aba)s?\b.*\b(?:deve|tem|sempre)\b|\b(?:botão|botões|diálogo|janela|linhas?|ícones?|página|cabeçalho|cartão|cartões|menu|campos?|formulário|lista|passos?|etapas?|nível|popup|a tabela|a coluna|tela|slice)\b.*\b(?:deve(?:m|ria|riam)?|tem que|têm que|sempre|precisa(?:m)?)\b|\bcada .*\bda tabela\b|\btodos os passos\b",
    dangling=r"^(?:ele|ela|eles|elas|isso|isto|aquilo)\b|\b(?:ess[ea]|est[ea]|aquele|aquela|o outro|a outra|o primeiro|a primeira|o segundo|a segunda|o último|a última) (?:arquivo|ficheiro|função|método|teste|branch|commit|erro|mudança|linha|parte|tarefa|página|caso|pasta|versão|passo)\b",
    joint=r"[;:] | ?[–—]+ ?| - |, (?:e|mas|então|porque|por isso) |, (?=(?:sempre|nunca|não|a partir de agora|só|apenas|usamos|use|sem)\b)|[.!?] ",
    request=r"^(?:por favor )?(?:corrija|olhe|mostre|adicione|apague|mude|renomeie|crie|procure|abra|rode|pare|mova|conserte)\b",
    lasting=(
        cue(
            "preference",
            r"^(?:quero|gostaria|prefiro|preferia|preciso) que (?:(?:você|vocês|tu) (?:sempre|nunca|jamais) \w+|(?:sempre|nunca) (?!(?:se|fique|seja|esteja|apareça|saia)\b)\w+s\b|os (?:commits?|testes|prs|comentários) .*\b(?:sempre|nunca)\b).*",
        ),
        cue(
            "preference",
            r"^quando (?:você )?(?:subir|mudar|mexer|adicionar|fizer|alterar|criar|editar|atualizar|apagar|renomear|usar|escrever)\b.*\b(?:sempre|nunca)\b.*",
        ),
        cue(
            "constraint",
            r"^(?:os|as|o|a|noss[oa]s?|um|uma|cada) [\w -]{3,40} (?:deve(?:m)?|precisa(?:m)?|tem que|têm que) .*\bantes d[eoa] ?(?:cada |o |a )?(?:commit|merge|push|deploy|release|fazer commit|publicar|subir)\b.*",
            r"^(?:os|as|noss[oa]s) [\w -]{3,40} (?:levam|se chamam|começam|terminam|contêm|seguem) sempre\b.*",
            r"\b(?:aqui|nós)? ?sempre \w+mos\b(?! (?:problemas|erros|esse|este)\b).*",
        ),
        cue(
            "preference",
            r"\b(?:seja|sê) (?:sempre )?(?:breve|conciso|concisa|direto)\b.*|\bme trate por\b.*",
            r"^(?:aqui,? |na nossa equipe,? |no nosso time,? )?(?:ninguém|nenhum de nós) \w+.*",
            r".{10,},? (?:sempre|toda vez|sem exceção)[.!]?$",
            r"^aconteça o que acontecer,? .{6,}",
        ),
        cue(
            "constraint",
            r"^(?:nunca|jamais|de jeito nenhum|em hipótese alguma|sob nenhuma circunstância)\b(?! (?:usei|vi|tive|mexi|funcion|termin|recebi|foi|fiz|precisei)).{6,}",
            rf"\b(?:{_DO}|deve|devem)\b.*\b(?:nunca|jamais)\b.*",
            r"\b\w+ (?:nunca|jamais) (?:são|é|se|devem|deve|podem|pode|vão)\b(?! (?:chamad)).*",
            r"\b(?:é|são|está|estão) (?:estritamente |terminantemente )?proibid[oa]s?\b.*|\b(?:é|são) obrigatóri[oa]s?\b.*",
            rf"^(?:todo|toda|todos os|todas as|cada|nenhum|nenhuma|os|as|nossos|nossas|um|uma)? ?(?:\w+ )?{_NOUN}\b(?!.*\b(?:da tabela|da página|do formulário)\b).*\b(?:deve(?:m|ria|riam)?|tem que|têm que|não (?:deve|devem|pode|podem)|precisa(?:m)?|sempre|nunca|fica(?:m)? (?:ao|junto|perto))\b.*",
        ),
        cue(
            "preference",
            rf"^(?:{_DO})\b(?: [\w-]+){{0,2}}? sempre\b(?! que)(?! (?:falha|cai|acima|visível)).*|^sempre (?!(?:que|falha|cai|foi|está|acontece|dá)\b)\w+.{{4,}}",
            rf"\b(?:{_DO})\b.*\bsempre[.! ]*$",
            r"^(?:por padrão|via de regra|como regra),? .{6,}",
            r"\b(?:nós |eu |a gente )?(?:sempre|só|somente|apenas) (?:usamos|escrevemos|fazemos|trabalhamos|publicamos|revisamos|rodamos|uso|escrevo|faço|trabalho|reviso|usa|faz)\b.*",
            r"\b(?:você deve|você tem que|é preciso|devem) sempre\b.*",
        ),
        cue(
            "preference",
            r"\b(?:a partir de (?:agora|hoje)|de agora em diante|daqui (?:para|pra) (?:a )?frente|daqui em diante|doravante|no futuro|da próxima vez)\b(?! ?\?).{6,}",
            r".{8,}\b(?:a partir de agora|de agora em diante|daqui para frente|no futuro)[.! ]*$",
        ),
        cue(
            "preference",
            rf"\b(?:{_DO})\b.*\b(?:antes de|depois de|após|em|com|para|a) (?:cada|tod[oa]) (?!(?:linha|clique|página|passo)\b)\w+.*",
            rf"^(?:antes de|depois de|após|em|a) cada (?!(?:linha|clique|execução)\b)\w+[^.]*\b(?:{_DO}|é preciso|deve)\b.*",
            r"^(?:toda vez que|sempre que) (?:você )?(?:mudar|mexer|alterar|fizer|adicionar|subir|editar|criar|usar|tocar)\b.*",
            r"\b(?:pergunte|pergunta|me pergunte|consulte|me avise|avise)\b.*\bantes de\b(?! (?:fazer isso|isso)\b).*",
            r"\bsem (?:perguntar|me perguntar|minha (?:permissão|aprovação|autorização)|avisar|autorização|consultar)\b",
        ),
        cue(
            "preference",
            r"^(?:use|utilize|usa|escreva|prefira|empregue)\b(?! (?:o|a) (?:segund|primeir|outr|botão)).*\b(?:em vez de|ao invés de|e não|, não|, nunca)\b.*",
            r"\bnão (?:usamos|utilizamos|queremos|aceitamos|mockamos|fazemos|damos|temos|precisamos|suportamos|escrevemos|commitamos)\b(?! (?:ideia|tempo)\b).*",
            r"\b(?:usamos|fazemos deploy|escrevemos|utilizamos) .*\b(?:só|apenas|em vez de|ao invés de|e não|, não)\b.*",
            r"\bnada de (?!(?:momento|nada)\b)[\w-]+(?: [\w-]+)? n[oa]s? (?:respostas?|commits?|código|testes|repo|produção)\b.*|^sem [\w-]+ n[oa]s (?:respostas|commits|comentários)\b.*",
            r"^não use [\w@.+-]+.*[,;].*\buse\w*\b.*",
        ),
        cue(
            "preference",
            r"\b(?:prefiro|preferimos|odeio|detesto|não suporto|adoro)\b(?! (?:isso|isto|esse|este|esperar)\b).*",
            r"\b(?:não )?gost(?:o|amos) de\b(?! (?:isso|isto|esse|este|essa|opção)\b).*",
        ),
        cue(
            "preference",
            r"^(?:responda|responde|escreva|fale|explique)\b.*\bem (?:português|inglês|francês|alemão|espanhol|chinês|japonês)\b.*",
            r"^respostas (?:curtas|breves|concisas)\b.*|^seja (?:breve|conciso|concisa|direto)\b.*|^(?:só|apenas|somente) (?:o código|a resposta|o comando)\b.*(?:sem|nada|não).*|^(?:responda|responde) (?:brevemente|em listas)\b.*|^me chame de (?-i:[A-Z])\w+.*",
        ),
        cue(
            "decision",
            r"\b(?:decidimos|combinamos|escolhemos|optamos)\b(?! (?:isso|a primeira|o primeiro)\b).{8,}",
        ),
        cue(
            "constraint",
            r"\bé um (?:repo|repositório|projeto) (?:público|privado|aberto)\b.*",
            r"\bnão (?:damos|usamos|suportamos|mantemos|trabalhamos|temos|publicamos) mais\b.*",
            r"\bnão (?:precisamos|é preciso|nos importa)(?: de)? (?:retro)?compat\w*.*",
        ),
        cue(
            "preference",
            r"^(?:em|no|na|nos|nas|para|sob) (?!(?:est[ea]|ess[ea]|momento)\b)[\w ./-]{2,40}?,? (?:sempre|nunca|jamais|só|apenas|não use|não se|use)\b.*",
        ),
    ),
    facts=(
        cue(
            "fact",
            r"^(?:os|as|o|a|noss[oa]s?) [\w -]{3,40} (?:é|são) \w+[ai]d[oa]s? .*\b(?:por|pelo|pela|pelos|pelas)\b.*",
        ),
        cue(
            "fact",
            r"^(?:os|as|o|a|noss[oa]s?) [\w -]{3,40} (?:é|são|se) (?:\w+[ai]d[oa]s?|feit[oa]s?|\w+(?:a|e|am|em)) (?:a cada|cada|por|pelo|pela|uma vez)\b.*",
            r"^(?:eu )?sou (?:o|a) únic[oa] que\b.*|^só eu (?:posso|tenho)\b.*",
        ),
        cue(
            "fact",
            r"^noss[oa]s? (?!(?:problema|erro|bug|teste|próxim)\w*\b)[\w-]+(?: [\w-]+){0,2} (?:trabalha(?:m)?|usa(?:m)?|utiliza(?:m)?|gerencia(?:m)?|roda(?:m)?|desenha(?:m)?|passa(?:m)?|fala(?:m)?|fica(?:m)?) \w.*",
            r"^(?:os|as|o|a|noss[oa]s?) [\w -]{3,40} (?:é|são) (?:processad|gerid|gerenciad|enviad|importad|exportad|calculad|validad|sincronizad|traduzid|faturad|assinad|indexad|revisad|aprovad)[oa]s? (?:por|em|com|no|na|pelo|pela|via)\b.*",
            r"\b\w+mos\b.*\b(?:cada|tod[oa]s?(?: os| as)?) (?:dia|dias|semana|semanas|mês|noite|sprint|segunda|terça|quarta|quinta|sexta)s?\b.*",
            r"^(?:eu )?trabalho (?:de|do|da) (?-i:[A-Z])\w+.*",
        ),
        cue(
            "fact",
            r"^(?:nós |aqui |neste \w+ )?(?:usamos|utilizamos|fazemos (?:o )?deploy|hospedamos|suportamos|guardamos|publicamos|lançamos|testamos|escrevemos|trabalhamos|gerenciamos|acompanhamos|desenvolvemos|registramos|faturamos|revisamos|nos reunimos|compilamos|rodamos|estamos (?:em|no|na) (?=.*\d)) (?!(?:isso|isto|est[ea]|ess[ea]|o botão|um loop|uma? \w+ aqui)\b)\S+.*",
            r"^(?:nosso time|nossa equipe|a equipe|o time|a gente) (?:usa|trabalha|se reúne|faz deploy|prefere|publica|utiliza|está espalhad[oa])\b.*",
            r"^(?:não )?temos (?:dois|duas|três|quatro|nenhum|nenhuma|ambiente|equipe)\b.*|^não (?:há|existe) (?:ambiente|staging|equipe|servidor de)\b.*",
        ),
        cue(
            "fact",
            rf"^{_SUBJECT}\b.{{0,40}}?\b(?:usa(?:m)?|utiliza(?:m)?|roda(?:m)?|fica(?:m)?|vive(?:m)?|se chama(?:m)?|chama-se|requer(?:em)?|precisa(?:m)? de|escuta|depende(?:m)? de|suporta|se reúne|publica|fala com|vai|vão)\b (?!(?:mal|lento|bem|mais)\b)\S.*",
            rf"^{_SUBJECT}\b.{{0,30}}?\b(?:é|são|está|estão|será)\b (?!(?:quebrad[oa]|vermelh[oa]|fora do ar|lent[oa]|vazi[oa]|na linha|falhando|mal|bem)\b)(?:.*\b(?:escrit|hospedad|implantad|guardad|gerenciad|construíd|feit|gerad|publicad|armazenad|configurad|treinad|programad|documentad|mantid)[oa]s? (?:em|com|por|no|na|pelo|pela|via)\b.*|(?:um |uma |o |a )?(?-i:[A-Z])\w.*|.*\d.*|(?:no|na|em|públic[oa]|privad[oa]) ?\S.*|\w+[.!]?$)",
            r"^(?:o |a )?(?-i:[A-ZÁÉÍÓÚ])[a-záéíóúçãõâê]+ (?:revisa|aprova|gerencia|decide|faz o deploy|cuida|é responsável) .*",
        ),
        cue(
            "fact",
            r"^(?:eu )?(?:trabalho|moro|vivo|desenvolvo|programo) (?:de|do|da|em|no|na|com|para|remotamente)\b(?! (?:isso|isto|ele|ela)\b).*",
            r"^(?:eu )?sou (?:canhot[oa]|daltônic[oa]|desenvolvedor\w*|o mantenedor|designer|nov[oa]|de)\b.*",
            r"^(?:o )?(?:meu|minha) (?:nome|fuso horário|editor|função|máquina|apelido|shell) (?:é|está)\b.*|^me chamo\b.*",
        ),
    ),
    weak=(
        cue(
            "constraint",
            r"^não \w+.*",
            r"\b(?:deve(?:m)?|tem que|têm que|precisa(?:m)?)\b.*",
            r"^(?:sem|só|somente|apenas|nada de|nenhum) .*",
            r"\bgaranta\b.*",
            r"\bevite\w*\b.*",
        ),
        cue("preference", r"^(?:use|utilize|prefira|mantenha) \w+.*"),
        cue("fact", r"\bnão \w+ mais\b.*", r"\bestá (?:obsolet|depreciad)\w*.*"),
    ),
    change=(
        Change(
            r"\b(?:estamos |a gente |o time )?(?:migrando|migramos|mudamos|mudando|trocamos|passamos|passando|movemos)(?: \w+)? (?:de|do|da) (?P<old>[\w.+@-]+) (?:para o|para a|para|pro|por) (?P<new>[\w.+@-]+)",
            "Usamos {new}.",
            "Usamos {new} em vez de {old}.",
        ),
        Change(
            r"\b(?:substituímos|trocamos|substituindo) (?:o |a )?(?P<old>[\w.+@-]+) (?:por|pelo|pela) (?P<new>[\w.+@-]+)",
            "Usamos {new}.",
            "Usamos {new} em vez de {old}.",
        ),
    ),
    fixed=r"(?:(?:sim|ótimo|obrigad[oa]|perfeito|ok|bom|legal)[,.! ]+)*(?:era isso|isso resolveu|agora funciona|funciona agora|funcionou|resolvido|corrigido|deu certo)(?: ?[,.:;!–-]+ ?|$| (?=desde|quando|com|se|porque))",
    explains=r"\b(?:deve|devem|é preciso|tem que|têm que|faltava|precisa|precisava|só se|nunca|porque|sem|não \w+|espera|exige|era|estava)\b",
    points_back=r"^(?:nunca mais faça isso|não faça isso (?:nunca mais|de novo|por conta própria))",
    wording=(
        (r"^(?:a partir de (?:agora|hoje)|de agora em diante|daqui (?:para|pra) (?:a )?frente|no futuro)[,:]? ", ""),
        (r"^por favor,? ", ""),
    ),
)
