"""Tokens of AI vendors, messaging, payments, observability and other web services, from the vendors' documentation."""

from __future__ import annotations

from slowwave.redaction.rules.rule import TokenRule, rows

AI = rows(r"""
anthropic-key | sk-ant- | [A-Za-z0-9_-]{16,300}
openai-key | sk-proj- sk-svcacct- sk-admin- sk-None- sk-service- | [A-Za-z0-9_-]{16,300}
openrouter-key | sk-or-v1- sk-or- | [A-Za-z0-9_-]{24,128}
litellm-key | sk-litellm- | [A-Za-z0-9_-]{10,128}
langfuse-key | sk-lf- | [0-9a-f-]{30,40}
sk-key | sk- | [A-Za-z0-9_-]{18,300} | em
sk-key | sk_ | %A{30,128} | em
google-gemini-key | AQ.Ab | %U{30,200}
huggingface-token | hf_ api_org_ | %A{28,64} | e
replicate-token | r8_ | %A{30,64} | e
groq-key | gsk_ | %A{30,80} | e
xai-key | xai- | %A{40,120} | em
perplexity-key | pplx- | %A{30,80}
nvidia-key | nvapi- | %U{40,120}
cerebras-key | csk- | [a-z0-9]{30,80} | em
fireworks-key | fw_ | %A{20,48} | em
fireworks-key | fpk_ | %A{20,80} | em
together-key | tgp_v1_ | %U{20,80}
anyscale-key | esecret_ | %A{20,64} | e
deepinfra-key | di_ | %A{32} | em
cohere-key | co_ | %A{36,48} | em
voyage-key | pa- | %U{40,60} | em
jina-key | jina_ | %U{40,100} | e
pinecone-key | pcsk_ pckey_ | [A-Za-z0-9_]{30,120} | e
langchain-key | lsv2_pt_ lsv2_sk_ ls__ | [0-9a-f_]{32,80}
tavily-key | tvly- | [A-Za-z0-9-]{20,64}
firecrawl-key | fc- | %H{32} | em
exa-key | exa_ | %A{30,64} | em
serper-key | serper_ | %A{30,64} | em
apify-token | apify_api_ apify_proxy_ apify_ui_ | %A{20,64}
browserbase-key | bb_live_ bb_test_ | %U{20,64}
e2b-key | e2b_ sk_e2b_ | %H{32,64} | e
modal-token | ak- | %A{20,26} | em
modal-token | wk- ws- | %A{20,26} | em
runpod-key | rpa_ | %A{30,64} | em
lambda-key | secret_ | [A-Za-z0-9_.-]{32,120} | em
wandb-key | wandb_v1_ | %U{30,120}
comet-key | comet_ | %A{20,40} | em
clarifai-key | clarifai_ | %H{32} | em
assemblyai-key | aai_ | %A{30,40} | em
deepgram-key | dg_ | %A{30,64} | em
elevenlabs-key | sk_ xi_ | %H{40,64} | e
stability-key | sk- | %A{46,52} | em
zhipu-key | zhipu- | [A-Za-z0-9.]{30,80} | em
dashscope-key | sk-ws- | [A-Za-z0-9._-]{30,100}
volcengine-key | AKLT AKTP | %A{40,80} | em
friendli-token | flp_ | %A{40,64} | em
lightning-key | lit_ | %A{30,64} | em
dify-key | app- dataset- | %A{24} | em
n8n-key | n8n_api_ | %A{40,64}
composio-key | ak_ comp_ | %A{20,40} | em
mem0-key | m0- | %A{36,48} | em
helicone-key | sk-helicone- pk-helicone- | [a-z0-9-]{20,80}
portkey-key | pk_prod_ | %U{20,64} | em
braintrust-key | sk- | %A{48} | em
vellum-key | vk_ | %A{30,64} | em
cursor-key | crsr_ key_ | %H{32,80} | em
cursor-key | key_ | %A{20,80} | em
amp-key | sgamp_user_ | [A-Za-z0-9_]{20,120}
windsurf-key | sk-ws-01- | %U{30,120}
factory-key | fk- | %U{20,120} | em
smithery-key | smry_ | %A{20,80} | em
context7-key | ctx7sk- | [0-9a-f-]{30,64}
""")

MESSAGING = rows(r"""
slack-token | xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxe- xoxe.xoxp- xoxe.xoxb- | [A-Za-z0-9%-]{10,400}
slack-cookie | xoxd- | [A-Za-z0-9%/+=._-]{20,400}
slack-app-token | xapp- xwfp- | [A-Za-z0-9-]{20,300}
slack-webhook | hooks.slack.com/services/ hooks.slack-gov.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/ | [A-Za-z0-9+/_-]{20,200}
discord-webhook | discord.com/api/webhooks/ discordapp.com/api/webhooks/ | [0-9]{15,22}/%U{30,100}
discord-token | mfa. | %U{80,90} | e
teams-webhook | .webhook.office.com/webhookb2/ | [A-Za-z0-9@/_-]{40,400}
teams-webhook | outlook.office.com/webhook/ | [A-Za-z0-9@/_-]{40,400}
chat-webhook | chat.googleapis.com/v1/spaces/ | [A-Za-z0-9_/-]{6,80}\?key=[A-Za-z0-9_-]{20,80}&token=[A-Za-z0-9_%-]{20,120}
feishu-webhook | open.feishu.cn/open-apis/bot/v2/hook/ open.larksuite.com/open-apis/bot/v2/hook/ | [0-9a-f-]{30,40}
wecom-webhook | qyapi.weixin.qq.com/cgi-bin/webhook/send?key= | [0-9a-f-]{30,40}
dingtalk-webhook | oapi.dingtalk.com/robot/send?access_token= | [0-9a-f]{40,80}
zapier-webhook | hooks.zapier.com/hooks/catch/ | [0-9]{4,12}/[A-Za-z0-9]{5,20}
ifttt-webhook | maker.ifttt.com/trigger/ | [A-Za-z0-9_-]{1,64}(?:/json)?/with/key/%U{20,64}
make-webhook | hook.eu1.make.com/ hook.eu2.make.com/ hook.us1.make.com/ hook.us2.make.com/ hook.integromat.com/ | [a-z0-9]{20,60}
pipedream-webhook | .m.pipedream.net/ | [a-z0-9]{8,60}
logic-app-webhook | .logic.azure.com | (?::443)?/workflows/[0-9a-f]{32}/triggers/[^\s"'<>\x00]{20,400}
twilio-key | SK | [0-9a-f]{32} | e
twilio-sid-token | AC | [0-9a-f]{32}:[0-9a-f]{32} | e
sendgrid-key | SG. | [A-Za-z0-9_-]{12,30}\.[A-Za-z0-9_-]{20,60} | e
mailgun-key | key- | [0-9a-f]{32} | e
mailgun-key | pubkey- | [0-9a-f]{32}
mailersend-token | mlsn. | %A{40,80}
postmark-token | POSTMARK_ | [0-9a-f-]{36} | em
resend-key | re_ | [A-Za-z0-9]{6,12}_%A{20,40} | em
resend-key | re_ | %A{30,48} | em
brevo-key | xkeysib- xsmtpsib- | [A-Za-z0-9-]{60,100}
mandrill-key | md- | %A{20,24} | em
klaviyo-key | pk_ | [0-9a-f]{34}(?:_[0-9A-Za-z]{1,10})? | em
customerio-key | cio_ | %A{30,60} | em
loops-key | loops_ | %A{30,60} | em
intercom-token | dG9rO | [A-Za-z0-9+/=]{40,120}
telnyx-key | KEY0 | [0-9A-Fa-f]{20,32}_%A{16,30} | em
zoho-token | 1000. | [0-9a-f]{32}\.[0-9a-f]{32} | em
line-token | LINE_ | [A-Za-z0-9+/=]{100,200} | em
matrix-token | syt_ mct_ mcr_ | [A-Za-z0-9_-]{20,120} | em
zulip-key | zulip_ | %A{32} | em
pushover-key | push_ | %A{30} | em
onesignal-key | os_v2_app_ os_v2_org_ | [a-z0-9]{40,140}
ably-key | ably_ | [A-Za-z0-9_.:-]{30,80} | em
stream-key | stream_ | [a-z0-9]{40,80} | em
""")

PAYMENTS = rows(r"""
stripe-key | sk_live_ rk_live_ sk_test_ rk_test_ sk_org_ sk_prod_ rk_prod_ | [A-Za-z0-9_]{10,300}
stripe-webhook-secret | whsec_ | [A-Za-z0-9+/=]{20,100}
square-token | sq0csp- sq0atp- sq0idp- | %U{20,64}
square-token | EAAA | %U{56,80} | em
shopify-token | shpat_ shpca_ shppa_ shpss_ shptka_ shpua_ shpit_ | [0-9a-fA-F]{24,64}
paypal-token | access_token$production$ access_token$sandbox$ | [0-9a-z]{16}\$[0-9a-f]{32}
plaid-token | access-production- access-sandbox- access-development- | [0-9a-f-]{36}
gocardless-token | live_ sandbox_ | [A-Za-z0-9_=-]{36,64} | em
generic-live-key | live_ test_ prod_ | %A{24,80} | em
adyen-key | AQE | [a-z]{1}[A-Za-z0-9+/=_.*^-]{60,400} | em
flutterwave-key | FLWSECK- FLWSECK_TEST- FLWPUBK_TEST- FLWSECK_TEST | [A-Za-z0-9-]{10,64}
paystack-key | sk_paystack_ | %A{30,60}
razorpay-key | rzp_live_ rzp_test_ | %A{14,32}
easypost-key | EZAK EZTK | %A{54}
shippo-token | shippo_live_ shippo_test_ | %H{30,64}
lob-key | live_pub_ test_pub_ | %H{30,40}
coinbase-key | organizations/ | [0-9a-f-]{36}/apiKeys/[0-9a-f-]{36}
mercadopago-token | APP_USR- TEST- | [0-9]{8,20}-[0-9A-Za-z-]{20,80} | e
wise-token | wise_ | [0-9a-f-]{36} | em
mollie-key | live_ test_ | %A{30,40} | em
paddle-key | pdl_live_ pdl_sdbx_ pdl_ntfset_ | [A-Za-z0-9_+/]{20,120}
lemonsqueezy-key | lmsq_ | %A{30,80} | em
polar-token | polar_oat_ polar_pat_ polar_at_ polar_rt_ polar_whs_ | %A{20,80}
checkout-key | sk_sbox_ | [A-Za-z0-9-]{20,60}
braintree-token | production_ sandbox_ | [a-z0-9]{8}_[a-z0-9]{16} | em
chargebee-key | live_ test_ | [a-zA-Z0-9]{24,48} | em
""")

OBSERVABILITY = rows(r"""
grafana-token | glsa_ | [A-Za-z0-9_]{20,80}
grafana-token | glc_ | [A-Za-z0-9+/=]{30,400}
grafana-key | eyJrIjoi | [A-Za-z0-9+/=]{30,400}
sentry-token | sntrys_ sntryu_ sntrya_ sntryi_ | [A-Za-z0-9+/=_]{30,600}
newrelic-key | NRAK- NRAL- NRBR- NRII- NRAA- NRIQ- NRRA- NRSP- | [A-Za-z0-9_-]{17,80}
datadog-token | ddapp_ ddp_ | %H{32} | em
datadog-token | ddpat_ ddapi_ | %A{30,120}
dynatrace-token | dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16. dt0a01. | [A-Z0-9]{8,30}\.[A-Z0-9]{30,80}
honeycomb-key | hcaik_ hcamk_ hcxik_ hcxmk_ hcalk_ hcxlk_ hcbik_ hcdik_ hceik_ | [a-z0-9]{26,80}
posthog-key | phx_ phc_ phr_ phs_ pha_ | %A{30,64} | e
rollbar-token | rb_ | %H{32} | em
logfire-token | pylf_v1_ pylf_v2_ | [A-Za-z0-9_]{20,80}
axiom-token | xaat- xapt- xait- | [0-9a-f-]{36}
betterstack-token | bs_ | %A{24} | em
bugsnag-key | bugsnag_ | %H{32} | em
highlight-key | hl_ | %A{30,60} | em
lightstep-key | ls_ | [A-Za-z0-9+/=]{60,120} | em
incidentio-key | inc_ | [0-9a-f]{60,70} | em
pagerduty-key | u+ | [A-Za-z0-9_+-]{18} | em
statuspage-key | sp_ | [0-9a-f-]{36} | em
amplitude-key | amp_ | %H{32} | em
mixpanel-key | mp_ | %H{32} | em
segment-key | sgp_ | %A{64} | em
rudder-key | rs_ | %A{27} | em
checkly-key | cu_ sk_checkly_ | [0-9a-f]{32} | em
tinybird-token | p.eyJ | [A-Za-z0-9_.-]{40,400}
""")

OTHERS = rows(r"""
linear-token | lin_api_ lin_oauth_ lin_wh_ | %A{30,80}
notion-token | ntn_ | %A{30,64} | e
notion-token | secret_ | %A{43} | e
airtable-token | pat | %A{14}\.[0-9a-f]{40,64} | e
figma-token | figd_ figdr_ figma_ figu_ figo_ figoh_ | %U{20,80}
asana-token | 0/ 1/ 2/ | [0-9]{12,20}[/:][0-9a-f]{32} | e
asana-token | 1/ | [0-9]{16}:[0-9a-f]{32}
clickup-token | pk_ | [0-9]{5,10}_[A-Z0-9]{32}
contentful-token | CFPAT- | %U{30,60}
storyblok-token | storyblok_ | %A{20,40} | em
dropbox-token | sl. | [A-Za-z0-9_-]{100,2048} | e
dropbox-token | sl.u. sl.B | %U{40,2048}
box-token | box_ | %A{32} | em
mapbox-token | sk.eyJ tk.eyJ pk.eyJ | [A-Za-z0-9_-]{30,200}\.[A-Za-z0-9_-]{16,60}
facebook-token | EAA | [A-Za-z0-9]{60,400} | em
facebook-token | EAACEdEose0cBA | [A-Za-z0-9]{10,300}
instagram-token | IGQ IGQV IGAA | [A-Za-z0-9_-]{60,400} | em
threads-token | THAA | %A{60,300} | em
twitter-bearer | AAAAAAAAAAAAAAAAAAAAA | (?!A{12})[A-Za-z0-9%]{40,200} | e
linkedin-token | WPL_AP | [0-9]\.[A-Za-z0-9.]{10,60}(?:==)?
linkedin-token | AQV AQX AQU | %U{100,500} | em
tiktok-token | act. rft. clt. | [A-Za-z0-9!.%*-]{40,200} | em
reddit-token | reddit_ | %U{20,80} | em
spotify-token | BQ | %U{140,400} | em
spotify-token | AQA AQB AQC AQD | %U{120,400} | em
twitch-token | oauth: | [a-z0-9]{30}
hubspot-token | pat-na1- pat-na2- pat-eu1- pat-ap1- pat-au1- | [0-9a-fA-F-]{36}
salesforce-token | 00D | [A-Za-z0-9]{12,15}![A-Za-z0-9_.]{60,140}
salesforce-token | 3MVG9 | [A-Za-z0-9_.]{60,120}
salesforce-token | 5Aep861 | [A-Za-z0-9_.]{60,120}
okta-token | SSWS\s00 | %U{38,44}
okta-token | SSWS\s | %U{30,60} | m
auth0-token | auth0_ | %U{30,80} | em
clerk-key | sk_live_ sk_test_ ak_live_ | %A{20,80}
workos-key | sk_a2V5X | [A-Za-z0-9+/=]{20,120}
stytch-secret | secret-test- secret-live- | [A-Za-z0-9_=-]{20,80}
descope-key | K2 P2 | %A{27,100} | em
frontegg-key | fe_secret_ fe_system_ | [a-z0-9-]{36,80}
postman-key | PMAK- | [0-9a-f]{16,32}-[0-9a-f]{20,40}
postman-key | PMAT- | %A{20,40}
typeform-token | tfp_ | %U{20,100}
calendly-token | eyJraWQiOiIxY2UxZTEz | [A-Za-z0-9._-]{60,1024}
cal-key | cal_live_ cal_ | [0-9a-f]{32} | em
zendesk-token | zd_ | %A{40} | em
freshworks-key | fw_ | %A{20} | em
gitbook-token | gb_api_ | %A{30,64}
readme-key | rdme_ | [a-z0-9]{60,80}
mintlify-key | mint_ mint_dsc_ | %A{20,64} | em
algolia-key | algolia_ | %H{32} | em
typesense-key | ts_ | %A{32} | em
meilisearch-key | ms_ | %A{32,64} | em
adafruit-key | aio_ | %A{28}
shodan-key | shodan_ | %A{32} | em
virustotal-key | vt_ | %H{64} | em
ipinfo-token | ipinfo_ | [0-9a-f]{14} | em
frameio-token | fio-u- | [A-Za-z0-9=_-]{50,80}
fastspring-token | fs_ | %A{30,60} | em
flickr-token | 721577 | [0-9]{11}-[0-9a-f]{16}
lokalise-token | lok_ | %H{40} | em
ramp-token | ramp_id_ ramp_sec_ ramp_business_tok_ ramp_tok_ | [A-Za-z0-9]{20,80}
riot-key | RGAPI- | [0-9a-fA-F-]{30,40}
roblox-cookie | _|WARNING:-DO-NOT-SHARE-THIS. | [^\s"'\x00]{30,2048}
scalingo-token | tk-us- | %U{40,60}
telegram-token | bot | [0-9]{8,10}:AA[A-Za-z0-9_-]{30,40} | e
webflow-token | ws- | [0-9a-f]{64} | em
wakatime-key | waka_ | [0-9a-f-]{36}
wakatime-key | waka_sec_ waka_tok_ waka_ref_ | %A{30,120}
todoist-token | todoist_ | %H{40} | em
thunderstore-token | tss_ | %U{30,80}
ubidots-token | BBFF- BBUS- | [0-9a-zA-Z]{30,40}
val-town-token | vtwn_ | %A{20,80}
shortcut-token | sc_ | [0-9a-f-]{36} | em
canva-secret | cnvca | [A-Za-z0-9_-]{40,80}
eraser-token | ert_ | %A{20,80} | em
endorlabs-key | endr+ | %U{16,40}
endorlabs-key | endr_ | %A{20,80}
tines-key | tines_ | %U{30,60} | em
tableau-token | tableau_ | %U{30,60} | em
gitguardian-token | gg_ | %A{40,80} | em
intra42-secret | s-s4t2ud- s-s4t2af- | [0-9a-f]{60,70}
opsgenie-key | og_ | [0-9a-f-]{36} | em
kickbox-key | live_ | [0-9a-f]{64} | em
deno-token | ddw_ ddp_ ddo_ | %A{30,64} | em
jsr-token | jsrp_ jsrt_ jsrd_ | %A{20,80} | em
svix-key | testsk_ sk_ | [A-Za-z0-9._]{30,80}\.(?:us|eu|in)
trigger-key | tr_dev_ tr_prod_ tr_stg_ tr_pat_ | %A{16,64}
inngest-key | signkey-test- signkey-prod- signkey-branch- | %H{30,80}
liveblocks-key | sk_dev_ sk_prod_ | %U{20,80}
knock-key | sk_ | [A-Za-z0-9]{43} | em
pusher-key | pusher_ | %H{20} | em
sanity-key | skE skA skV skP | %A{80,200} | em
uploadthing-key | sk_live_ | %H{60,70}
webpushr-key | webpushr_ | %H{32} | em
zuplo-key | zpka_ | [A-Za-z0-9_]{30,80}
unkey-key | unkey_ | %A{20,64} | em
cloudinary-url | cloudinary:// | [0-9]{10,20}:[A-Za-z0-9_-]{20,40}
wireguard-ish-key | WG_PRIVATE_KEY= | [A-Za-z0-9+/]{43}=
""")

TABLES: tuple[tuple[TokenRule, ...], ...] = (AI, MESSAGING, PAYMENTS, OBSERVABILITY, OTHERS)
