"""Tokens of AI vendors, messaging, payments, observability and other web services, from the vendors' documentation."""

from __future__ import annotations

from slowwave.redaction.rules.rule import TokenRule, rows

AI = rows(r"""
anthropic-key | sk-ant- | [A-Za-z0-9_-]{16,300}
openai-key | sk-proj- sk-svcacct- sk-admin- sk-None- sk-service- | [A-Za-z0-9_-]{16,300}
openai-session | sess- | %A{40} | em
openrouter-key | sk-or-v1- sk-or- | [A-Za-z0-9_-]{24,128}
litellm-key | sk-litellm- | [A-Za-z0-9_-]{10,128}
langfuse-key | sk-lf- | [0-9a-f-]{30,40}
helicone-key | sk-helicone- pk-helicone- | [a-z0-9-]{20,80}
sk-key | sk- | [A-Za-z0-9_-]{18,300} | em
sk-key | sk_ | [A-Za-z0-9_]{24,160} | em
huggingface-token | hf_ api_org_ hf_oauth_ | %A{28,64} | em
replicate-token | r8_ | %A{30,64} | e
groq-key | gsk_ | %A{30,80} | e
xai-key | xai- | %A{40,120} | em
perplexity-key | pplx- | %A{30,80}
nvidia-key | nvapi- | %U{40,120}
cerebras-key | csk- | [a-z0-9]{30,80} | em
fireworks-key | fw_ fpk_ | %A{20,80} | em
together-key | tgp_v1_ | %U{20,80}
anyscale-key | esecret_ | %A{20,64} | e
cohere-key | co_ | %A{36,48} | em
voyage-key | pa- al- | %U{40,60} | em
jina-key | jina_ | %U{40,100} | e
pinecone-key | pcsk_ pckey_ | [A-Za-z0-9_]{30,120} | e
langchain-key | lsv2_pt_ lsv2_sk_ ls__ | [0-9a-f_]{32,80}
braintrust-key | bt-st- | %A{30,80} | e
tavily-key | tvly- | [A-Za-z0-9-]{20,64}
firecrawl-key | fc- | %H{32} | em
apify-token | apify_api_ apify_proxy_ apify_ui_ | %A{20,64}
browserbase-key | bb_live_ bb_test_ | %U{20,64}
brave-key | BSA | %U{24,34} | em
e2b-key | e2b_ sk_e2b_ | %H{32,64} | e
daytona-key | dtn_ | %A{40,80} | em
modal-token | ak- wk- ws- | %A{20,26} | em
runpod-key | rpa_ | %A{30,64} | em
wandb-key | wandb_v1_ | %U{30,120}
elevenlabs-key | sk_ xi_ | %H{40,64} | e
cartesia-key | sk_car_ | %U{20,64}
upstage-key | up_ | %A{28,40} | em
friendli-token | flp_ | %A{40,64} | em
dify-key | app- dataset- | %A{24} | em
n8n-key | n8n_api_ | %A{40,64}
composio-key | ak_ comp_ | %A{20,40} | em
mem0-key | m0- | %A{36,48} | em
luma-key | luma- | [0-9a-f-]{40,120} | em
cursor-key | crsr_ | %H{32,80} | e
prefixed-key | key_ key- apikey_ api_key_ | %A{20,80} | em
devin-key | apk_user_ apk_ cog_ | [A-Za-z0-9+/=_-]{30,300} | em
amp-key | sgamp_user_ | [A-Za-z0-9_]{20,120}
context7-key | ctx7sk- | [0-9a-f-]{30,64}
""")

MESSAGING = rows(r"""
slack-token | xoxb- xoxp- xoxs- xoxo- xoxc- xoxe- xoxe.xoxp- xoxe.xoxb- | [0-9][A-Za-z0-9%-]{9,}
slack-token | xoxa- xoxr- | [A-Za-z0-9-]{8,} | em
slack-cookie | xoxd- | [A-Za-z0-9%/+=._-]{20,400}
slack-app-token | xapp- xwfp- | [A-Za-z0-9-]{20,300}
slack-webhook | hooks.slack.com/services/ hooks.slack-gov.com/services/ | [A-Za-z0-9+/_-]{20,200}
slack-webhook | hooks.slack.com/workflows/ hooks.slack.com/triggers/ | [A-Za-z0-9+/_-]{20,200}
discord-webhook | discord.com/api/webhooks/ discordapp.com/api/webhooks/ | [0-9]{15,22}/%U{30,100}
discord-token | mfa. | %U{80,90} | e
teams-webhook | .webhook.office.com/webhookb2/ outlook.office.com/webhook/ | [A-Za-z0-9@/_-]{40,400}
feishu-webhook | /open-apis/bot/v2/hook/ | [0-9a-f-]{30,40}
wecom-webhook | qyapi.weixin.qq.com/cgi-bin/webhook/send?key= | [0-9a-f-]{30,40}
dingtalk-webhook | oapi.dingtalk.com/robot/send?access_token= | [0-9a-f]{40,80}
zapier-webhook | hooks.zapier.com/hooks/catch/ | [0-9]{4,12}/[A-Za-z0-9]{5,20}
ifttt-webhook | maker.ifttt.com/trigger/ | [A-Za-z0-9_-]{1,64}(?:/json)?/with/key/%U{20,64}
make-webhook | .make.com/ hook.integromat.com/ | [a-z0-9]{28,60} | m
pipedream-webhook | .m.pipedream.net/ | [a-z0-9]{8,60}
logic-app-webhook | .logic.azure.com | (?::443)?/workflows/[0-9a-f]{32}/triggers/[^\s"'<>\x00]{20,400}
twilio-key | SK | %H{32} | e
twilio-key | AC | [0-9a-f]{32}:[0-9a-f]{32} | e
sendgrid-key | SG. | [A-Za-z0-9_=-]{12,30}\.[A-Za-z0-9_=-]{20,60} | e
sendgrid-key | SG. | [A-Za-z0-9_=.-]{66} | em
mailgun-key | key- | [0-9a-f]{32} | e
mailgun-key | pubkey- | [0-9a-f]{32}
mailersend-token | mlsn. | %A{20,120}
resend-key | re_ | [A-Za-z0-9]{6,12}_%A{20,40} | em
resend-key | re_ | %A{30,48} | em
brevo-key | xkeysib- xsmtpsib- | [A-Za-z0-9-]{60,100}
mandrill-key | md- | %A{20,24} | em
klaviyo-key | pk_ | [0-9a-f]{34}(?:_[0-9A-Za-z]{1,10})? | em
intercom-token | dG9rO | [A-Za-z0-9+/=]{40,120}
telnyx-key | KEY | [0-9A-Za-z]{20,40}_%A{16,30} | em
zoho-token | 1000. | [0-9a-f]{32}\.[0-9a-f]{32} | em
matrix-token | syt_ mct_ mcr_ | [A-Za-z0-9_-]{20,120} | em
onesignal-key | os_v2_app_ os_v2_org_ | [a-z0-9]{40,140}
""")

PAYMENTS = rows(r"""
stripe-key | sk_live_ rk_live_ rk_prod_ sk_prod_ sk_test_ rk_test_ sk_org_ ek_live_ ek_test_ | [A-Za-z0-9_]{10,300}
stripe-client-secret | _secret_ | %A{20,40} | m
stripe-webhook-secret | whsec_ | [A-Za-z0-9+/=]{20,100}
square-token | sq0csp- sq0atp- sq0idp- | %U{20,64}
square-token | EAAA | %U{22,80} | em
shopify-token | shpat_ shpca_ shppa_ shpss_ shptka_ shpua_ shpit_ | [0-9a-fA-F]{24,64}
paypal-token | access_token$production$ access_token$sandbox$ | [0-9a-z]{16}\$[0-9a-f]{32}
paypal-token | A21AA | %U{60,200} | em
plaid-token | access-production- access-sandbox- access-development- | [0-9a-f-]{36}
live-key | live_ sandbox_ prod_ production_ | [A-Za-z0-9_=-]{24,80} | em
test-key | test_ | %A{24,80} | em
adyen-key | AQE | [a-z][A-Za-z0-9+/=_.*^-]{60,400} | em
flutterwave-key | FLWSECK- FLWSECK_TEST- FLWPUBK- FLWPUBK_TEST- | [A-Za-z0-9-]{10,64}
razorpay-key | rzp_live_ rzp_test_ | %A{14,32}
easypost-key | EZAK EZTK | %A{54}
shippo-token | shippo_live_ shippo_test_ | %H{30,64}
lob-key | live_pub_ test_pub_ | %H{30,40}
coinbase-key | organizations/ | [0-9a-f-]{36}/apiKeys/[0-9a-f-]{36}
mercadopago-token | APP_USR- TEST- | [0-9]{8,20}-[0-9A-Za-z-]{20,80} | e
midtrans-key | Mid-server- Mid-client- | %U{10,60}
xendit-key | xnd_production_ xnd_development_ xnd_public_ | %A{20,120}
omise-key | skey_live_ skey_test_ skey_ | [A-Za-z0-9]{15,40} | e
klarna-key | klarna_live_api_ klarna_test_api_ klarna_prod_api_ | [A-Za-z0-9_=+/-]{20,200}
asaas-token | $aact_ aact_prod_ aact_hmlg_ | [A-Za-z0-9:=+/_-]{20,300}
paddle-key | pdl_live_ pdl_sdbx_ pdl_ntfset_ | [A-Za-z0-9_+/]{20,120}
polar-token | polar_oat_ polar_pat_ polar_at_ polar_rt_ polar_whs_ polar_at_u_ polar_at_o_ | %A{20,80}
checkout-key | sk_sbox_ | [A-Za-z0-9-]{20,60}
woocommerce-key | ck_ cs_ | [0-9a-f]{40} | e
persona-key | persona_production_ persona_sandbox_ | [A-Za-z0-9_-]{16,80}
duffel-token | duffel_live_ duffel_test_ | [A-Za-z0-9_=-]{20,80}
ramp-token | ramp_id_ ramp_sec_ ramp_business_tok_ ramp_tok_ | [A-Za-z0-9]{20,80}
branch-key | key_live_ key_test_ secret_live_ secret_test_ | %A{16,64} | e
""")

OBSERVABILITY = rows(r"""
grafana-token | glsa_ | [A-Za-z0-9_]{20,80}
grafana-token | glc_ | [A-Za-z0-9+/=]{30,400}
grafana-key | eyJrIjoi | [A-Za-z0-9+/=]{30,400}
sentry-token | sntrys_ sntryu_ sntrya_ sntryi_ | [A-Za-z0-9+/=_]{30,600}
newrelic-key | NRAK- NRAL- NRBR- NRII- NRAA- NRIQ- NRRA- NRSP- NRJS- | [A-Za-z0-9_-]{17,80}
datadog-token | ddpat_ ddapi_ | %A{30,120}
datadog-token | pub | %H{32} | em
dynatrace-token | dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. | [A-Za-z0-9]{8,30}\.[A-Za-z0-9]{30,80}
dynatrace-token | dt0s08. dt0s16. dt0a01. | [A-Z0-9]{8,30}\.[A-Z0-9]{30,80}
honeycomb-key | hcaik_ hcamk_ hcxik_ hcxmk_ hcalk_ hcxlk_ hcbik_ | [a-z0-9]{26,80}
honeybadger-key | hbp_ hba_ | %A{30,60} | e
posthog-key | phx_ phc_ phr_ phs_ pha_ | %A{30,64} | e
logfire-token | pylf_v1_ pylf_v2_ | [A-Za-z0-9_]{20,80}
axiom-token | xaat- xapt- xait- | [0-9a-f-]{36}
incidentio-key | inc_ | [0-9a-f]{60,70} | em
rootly-key | rootly_ | %H{40,80}
pagerduty-key | pdus+ | [A-Za-z0-9_+-]{18,64} | em
pagerduty-key | u+ | [A-Za-z0-9_-]{18}(?![A-Za-z0-9_+/=-]) | em
checkly-key | cu_ | [0-9a-f]{32} | em
tinybird-token | p.eyJ | [A-Za-z0-9_.-]{40,400}
segment-token | sgp_ | %A{64} | em
""")

OTHERS = rows(r"""
ebay-secret | PRD- SBX- | %H{8,12}-[0-9a-fA-F-]{16,40} | em
facebook-app-token | app_access_token= | [0-9]{13,17}(?:\||%7C)%U{20,40}
fullstory-key | na1. eu1. | [A-Za-z0-9+/=_.-]{22,100} | em
ionic-token | ion_ | %A{36,60} | em
lichess-token | lip_ | %A{18,30} | em
llama-cloud-key | llx- | %A{40,60} | em
mercury-token | mercury_production_ mercury_sandbox_ | [A-Za-z0-9_]{30,120}
mergify-key | mergify_application_key_ | %U{30,80}
miro-token | eyJtaXJv | [A-Za-z0-9_-]{40,200}
nylas-key | nyk_ nyk_v0_ | %A{40,80} | em
onfido-token | api_live. api_live_us. api_live_ca. api_sandbox. api_sandbox_us. | [A-Za-z0-9_.-]{20,80} | e
notify-key | gcntfy- ApiKey-v1\sgcntfy- | [A-Za-z0-9_-]{60,120}
proof-key | prf_ | %A{26,60} | em
linear-token | lin_api_ lin_oauth_ lin_wh_ | %A{30,80}
notion-token | ntn_ | %A{30,64} | e
notion-token | secret_ | [A-Za-z0-9_.-]{32,120} | em
airtable-token | pat | %A{14}\.[0-9a-f]{40,64} | e
figma-token | figd_ figdr_ figu_ figo_ figoh_ | %U{20,80}
asana-token | 0/ 1/ 2/ | [0-9]{12,20}[/:][0-9a-f]{32} | e
clickup-token | pk_ | [0-9]{5,10}_[A-Z0-9]{32}
contentful-token | CFPAT- | %U{30,60}
sanity-token | skE skA skV skP sk | %A{80,200} | em
dropbox-token | sl. | [A-Za-z0-9_-]{100,2048} | e
dropbox-token | sl.u. sl.B | %U{40,2048}
mapbox-token | sk.eyJ tk.eyJ pk.eyJ | [A-Za-z0-9_-]{30,200}\.[A-Za-z0-9_-]{16,60}
facebook-token | EAA | [A-Za-z0-9]{60,400} | em
facebook-token | EAACEdEose0cBA | [A-Za-z0-9]{10,300}
instagram-token | IGQ IGQV IGAA | [A-Za-z0-9_-]{60,400} | em
threads-token | THAA | %A{60,300} | em
twitter-bearer | AAAAAAAAAAAAAAAAAAAAA | (?!A{12})[A-Za-z0-9%]{40,200} | e
linkedin-token | WPL_AP | [0-9]\.[A-Za-z0-9.]{10,60}(?:==)?
linkedin-token | AQV AQX AQU | %U{100,500} | em
tiktok-token | act. rft. clt. | [A-Za-z0-9!.%*-]{40,200} | em
spotify-token | BQ AQA AQB AQC AQD | %U{120,400} | em
pinterest-token | pina_ | %A{20,120} | em
twitch-token | oauth: | [a-z0-9]{30}
hubspot-token | pat-na1- pat-na2- pat-eu1- pat-ap1- pat-au1- | [0-9a-fA-F-]{36}
salesforce-token | 00D | [A-Za-z0-9]{12,15}![A-Za-z0-9_.-]{60,140}
salesforce-token | 3MVG9 5Aep861 | [A-Za-z0-9_.]{60,120}
okta-token | SSWS\s00 | %U{38,44}
okta-token | SSWS\s | %U{30,60} | m
clerk-key | ak_live_ ak_test_ | %A{20,80}
workos-key | sk_a2V5X | [A-Za-z0-9+/=]{20,120}
stytch-secret | secret-test- secret-live- | [A-Za-z0-9_=-]{20,80}
descope-key | K2 P2 | %A{27,100} | em
postman-key | PMAK- | [0-9a-f]{16,32}-[0-9a-f]{20,40}
postman-key | PMAT- | %A{20,40}
typeform-token | tfp_ | %U{20,100}
cal-key | cal_live_ cal_ | [0-9a-f]{32} | em
gitbook-token | gb_api_ | %A{30,64}
readme-key | rdme_ | [a-z0-9]{60,80}
mintlify-key | mint_ mint_dsc_ | %A{20,64} | em
adafruit-key | aio_ | %A{28}
adobe-secret | p8e- p8_ | %U{24,40} | em
beamer-token | b_ | [A-Za-z0-9=_-]{44} | em
frameio-token | fio-u- | [A-Za-z0-9=_-]{50,80}
riot-key | RGAPI- | [0-9a-fA-F-]{30,40}
roblox-cookie | _|WARNING:-DO-NOT-SHARE-THIS. | [^\s"'\x00]{30,2048}
scalingo-token | tk-us- | %U{40,60}
telegram-token | bot | [0-9]{8,10}:AA[A-Za-z0-9_-]{30,40} | e
wakatime-key | waka_ | [0-9a-z_-]{36,120}
wakatime-key | waka_sec_ waka_tok_ waka_ref_ | %A{30,120}
thunderstore-token | tss_ | %U{22,80}
ubidots-token | BBFF- BBUS- | [0-9a-zA-Z]{30,40}
val-town-token | vtwn_ | %A{20,80}
canva-secret | cnvca | [A-Za-z0-9_-]{40,80}
settlemint-token | sm_aat_ sm_pat_ sm_sat_ | %A{16,64}
samsara-token | samsara_api_ | %A{20,60}
databento-key | db- | %A{28,36} | em
intra42-secret | s-s4t2ud- s-s4t2af- | [0-9a-f]{60,70}
deno-token | ddw_ ddp_ ddo_ | %A{30,64} | em
jsr-token | jsrp_ jsrt_ jsrd_ | %A{20,80} | em
svix-key | testsk_ sk_ | [A-Za-z0-9._]{30,80}\.(?:us|eu|in)
trigger-key | tr_dev_ tr_prod_ tr_stg_ tr_pat_ | %A{16,64}
inngest-key | signkey-test- signkey-prod- signkey-branch- | %H{30,80}
liveblocks-key | sk_dev_ sk_prod_ | %U{20,80}
zuplo-key | zpka_ | [A-Za-z0-9_]{30,80}
unkey-key | unkey_ | %A{20,64} | em
tatum-key | t- | [0-9a-f]{24}(?:-[0-9a-f]{24})? | em
alchemy-key | alch_ alcht_ | %U{20,60} | e
census-token | secret-token: | [A-Za-z0-9_=-]{20,80}
workato-token | wrkaus- wrkprod- wrk | eyJ[A-Za-z0-9_.-]{60,2048} | e
tines-token | tines_ | %U{30,60} | em
cloudinary-url | cloudinary:// | [0-9]{10,20}:[A-Za-z0-9_-]{20,40}
wallet-key | suiprivkey1 | [a-z0-9]{50,70}
nostr-key | nsec1 | [a-z0-9]{50,64}
telegram-session | 1BVts 1BJWap 1AZWarz | [A-Za-z0-9_=-]{100,500}
""")

TABLES: tuple[tuple[TokenRule, ...], ...] = (AI, MESSAGING, PAYMENTS, OBSERVABILITY, OTHERS)
