"""Tokens of clouds, databases, registries, CI and deployment platforms, from the vendors' own documentation."""

from __future__ import annotations

from slowwave.redaction.rules.rule import ALNUM, TokenRule, rows

CLOUDS = rows(r"""
aws-access-key-id | AKIA ASIA | [A-Z2-7]{12,32}
aws-access-key-id | ABIA ACCA | [A-Z2-7]{16}(?![A-Za-z0-9]) | em
aws-bedrock-key | ABSK | %B{60,180}={0,2}(?![A-Za-z0-9+/]) | e
aws-bedrock-key | bedrock-api-key- | [A-Za-z0-9+/=_-]{20,2048}
aws-session-token | IQoJb3JpZ2luX2Vj FwoGZXIvYXdz FQoGZXIvYXdz | [A-Za-z0-9+/=%]{20,4096}
amazon-mws-token | amzn.mws. | [0-9a-f-]{32,40}
amazon-oauth-token | amzn1.oa2-cs.v1. Atza| Atzr| | [A-Za-z0-9_|-]{20,2048}
google-api-key | AIza | %U{30,80}
google-gemini-key | AQ.Ab | %U{30,200}
google-oauth-secret | GOCSPX- | %U{20,80}
google-access-token | ya29. | [A-Za-z0-9_.-]{20,2048}
google-refresh-token | 1//0 | %U{30,512} | e
google-hmac-key | GOOG1E GOOG | [A-Z0-9]{20,80} | em
google-recaptcha-key | 6L | [c-f]%U{37,38} | em
firebase-server-key | AAAA | %U{7}:%U{100,180} | e
alibaba-access-key | LTAI | %A{12,40} | e
alibaba-sts-key | STS. | %A{24,60} | em
tencent-secret-id | AKID | %A{30,40} | em
volcengine-key | AKLT AKTP | %A{40,80} | em
ibm-api-key | ApiKey- | %U{30,64} | e
digitalocean-token | dop_v1_ doo_v1_ dor_v1_ | %H{20,128}
scaleway-key | SCW | [A-Z0-9]{17} | em
yandex-token | AQVN | %U{30,64} | e
yandex-token | YCAJE YCM YCN YCO YCP | %U{20,64} | em
yandex-token | y0_ t1.9eu | [A-Za-z0-9_.-]{30,1024} | em
exoscale-key | EXO | %H{24} | em
upcloud-token | ucat_ | %A{20,80}
akamai-token | akab- | [a-z0-9-]{16,80} | m
azure-function-key | AzFu | [A-Za-z0-9_+/=-]{4,40} | e
cloudflare-ca-key | v1.0- | %H{24}-%H{100,200}
cloudflare-token | cfat_ cfut_ cfk_ | %U{30,80}
heroku-key | HRKU- | %U{36,80}
fly-token | fm1r_ fm2_ fm1a_ fo1_ | [A-Za-z0-9+/=_,-]{40,4096}
netlify-token | nfp_ nfc_ nfo_ nfu_ nfb_ | %A{30,64}
vercel-token | vcp_ vci_ vca_ vcr_ vck_ | [A-Za-z0-9_]{20,120}
vercel-token | vercel_blob_rw_ | [A-Za-z0-9_]{20,120}
render-key | rnd_ | %A{20,64} | em
tailscale-key | tskey- | [A-Za-z0-9-]{16,120}
netbird-token | nbp_ | %A{30,60}
defined-networking-token | dnkey- | [a-z0-9=_-]{20,120}
pulumi-token | pul- | %H{32,64}
terraform-token | tfc_ | %A{30,80} | em
vault-token | hvs. hvb. hvr. | %U{20,300}
vault-token | s. b. r. | (?=[A-Za-z]{0,20}[0-9])%A{24}(?![A-Za-z0-9]) | em
infracost-key | ico- | %A{30,40}
doppler-token | dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said. | [A-Za-z0-9._-]{16,120}
infisical-token | st. | [0-9a-f]{24}\.[0-9a-f]{20,64}\.[0-9a-f]{20,64} | e
onepassword-token | ops_eyJ | [A-Za-z0-9+/_-]{40,2048}={0,2}
bitwarden-token | 0. | [0-9a-f]{8}-[0-9a-f-]{27}\.[A-Za-z0-9]{20,40}:[A-Za-z0-9+/=]{20,40} | e
dashlane-token | dls_ | [A-Za-z0-9_]{30,120} | em
akeyless-key | p-akl | %A{8,64} | e
age-secret-key | AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1 AGE-PLUGIN- | [A-Z0-9-]{20,2048}
openshift-token | sha256~ | %U{40,50}
kubernetes-token | kubeconfig- token- | [a-z0-9]{5,30}:[a-z0-9]{50,60} | e
portainer-token | ptr_ | [A-Za-z0-9+/=]{40,60}
docker-token | dckr_pat_ dckr_oat_ | %U{20,64}
harness-token | pat. sat. | %U{22}\.[0-9a-fA-F]{24}\.%A{20} | e
ory-token | ory_pat_ ory_at_ ory_rt_ ory_ac_ ory_st_ ory_apikey_ | [A-Za-z0-9_.-]{20,200}
dnsimple-token | dnsimple_a_ dnsimple_u_ | %A{20,80}
porkbun-key | pk1_ sk1_ | %H{64}
prefect-key | pnu_ pnb_ | %A{24,64}
dbt-token | dbtu_ dbts_ dbtc_ | [A-Za-z0-9_=-]{20,100}
databricks-token | dapi | %H{32}(?:-\d)?
databricks-token | dose dkea dsapi | %H{32}(?:-\d)? | em
snowflake-token | ver:1-hint: | [0-9]{4,24}-ETMsDgAAA[A-Za-z0-9+/=]{30,1024}
astra-token | AstraCS: | [A-Za-z0-9:_.-]{30,120}
mongodb-token | mdb_sa_sk_ mdb_sa_id_ | %U{20,80}
clickhouse-key | 4b1d | %A{38} | em
confluent-secret | cflt | [A-Za-z0-9+/]{40,80} | em
aiven-token | AVNS_ aivenv1 | [A-Za-z0-9_+/=-]{10,500}
planetscale-token | pscale_tkn_ pscale_oauth_ pscale_pw_ pscale_app_ pscale_api_ | [A-Za-z0-9=._-]{20,100}
neon-key | napi_ | [a-z0-9]{40,80} | e
neon-password | npg_ | %A{10,40} | em
supabase-token | sbp_ sb_secret_ sb_temp_ | [A-Za-z0-9_-]{20,80}
xata-key | xau_ xoa_ | %A{20,80} | em
cockroach-key | CCDB1_ | [A-Za-z0-9_]{20,100}
appwrite-key | standard_ | %H{80,300} | e
elastic-key | essu_ essa_ | [A-Za-z0-9+/=_-]{30,120}
crates-io-token | cio | %A{32} | em
npm-token | npm_ | %A{30,64} | e
pypi-token | pypi-AgE pypi-AgENdGVzdC5weXBp | %U{30,1024}
rubygems-key | rubygems_ | %H{40,64}
nuget-key | oy2 | [a-z0-9]{43} | e
clojars-token | CLOJARS_ | [a-z0-9]{40,80}
packagist-token | packagist_uut_ packagist_out_ packagist_ack_ packagist_acs_ packagist_ort_ | %A{20,100}
cloudsmith-token | csa_ | %A{30,64} | em
artifactory-token | AKCp | %A{10,100} | e
artifactory-token | cmVmd | [A-Za-z0-9+/]{50,100} | e
octopus-key | API- | [A-Z0-9]{25,40} | em
scalr-token | scalr_ | [A-Za-z0-9_.-]{30,800} | em
nightfall-key | NF- | %A{32} | em
percy-token | web_ app_ auto_ ss_ vmw_ | %H{60,70} | em
chromatic-token | chpt_ | %H{12,40} | e
""")

CODE_HOSTS = rows(r"""
github-token | ghp_ gho_ ghu_ ghs_ ghr_ | [A-Za-z0-9_]{16,255}(?:\.[A-Za-z0-9_-]{4,1024}){0,2}
github-token | github_pat_ | [A-Za-z0-9_]{20,255}
github-token | v1. | [0-9a-f]{40} | em
gitlab-token | glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- | [A-Za-z0-9_.-]{16,300}
gitlab-token | gloas- glsoat- glffct- glwt- glrtr- | [A-Za-z0-9_.-]{16,300}
gitlab-token | GR1348941 | %U{16,64}
gitlab-token | _gitlab_session= | [0-9a-z]{20,64}
bitbucket-token | ATBB | %A{24,64} | em
bitbucket-token | BBDC- | [A-Za-z0-9+/@_-]{40,64}
atlassian-token | ATATT ATCTT ATSTT | [A-Za-z0-9_=-]{40,300}
trello-token | ATTA | %H{60,80}
sourcegraph-token | sgp_ sgd_ | [A-Za-z0-9_]{30,120} | e
sourcegraph-token | slk_ sgph_ | [A-Za-z0-9_]{40,120} | em
circleci-token | CCIPAT_ CCIPRJ_ | [A-Za-z0-9_]{30,120}
exoscale-key | EXO | %A{32} | em
flyio-token | FlyV1\s | [A-Za-z0-9+/=,._-]{40,4000}
harness-token | pat. sat. | %U{18,26}\.%A{20,28}\.%A{18,24} | em
buildkite-token | bkua_ bkaj_ bkat_ bkar_ bkct_ bkpt_ bkrt_ | [A-Za-z0-9_-]{30,80}
sonar-token | squ_ sqp_ sqa_ | %H{40}
snyk-token | snyk_uat. snyk_sat. | [A-Za-z0-9._-]{20,512}
appveyor-token | v2. | %A{20} | em
depot-token | depot_org_ depot_project_ | %A{30,80}
gitpod-token | gitpod_pat_ | [A-Za-z0-9._-]{30,200}
warp-token | wk-1. | [A-Za-z0-9.]{40,120}
launchdarkly-key | sdk- mob- api- rel- | [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} | em
configcat-key | configcat-sdk-1/ configcat-sdk-2/ | [A-Za-z0-9_/-]{22,60}
flagsmith-key | ser. | %A{20,32} | em
growthbook-key | secret_admin_ secret_readonly_ secret_user_ | %A{20,80}
devcycle-key | dvc_client_ dvc_server_ dvc_mobile_ | [A-Za-z0-9_]{8,120}
aikido-token | AIK_CI_ AIK_SECRET_ AIK_RUNTIME_ AIK_CLIENT_ AIK_ | %A{20,100} | e
endorlabs-key | endr+ endr_ | %U{16,80}
""")

AROUND: tuple[TokenRule, ...] = (
    TokenRule("azure-devops-token", ("AZDO",), f"{ALNUM}{{4}}", back=f"(?<!{ALNUM}){ALNUM}{{70,80}}", reach=84),
    TokenRule(
        "azure-key",
        ("AzSe", "ACDb", "+ASt", "AIoT", "AEhb", "ARm7", "AzCa", "+AMC", "+ACR", "APIM"),
        "[A-Za-z0-9+/=]{4,40}",
        back="(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{30,80}",
        reach=84,
    ),
    TokenRule("azure-ai-key", ("JQQJ99",), f"{ALNUM}{{4,60}}", back=f"(?<!{ALNUM}){ALNUM}{{40,80}}", reach=84),
    TokenRule("azure-ad-secret", ("Q~",), "[A-Za-z0-9_.~-]{31,40}", back="[A-Za-z0-9_.~-]{3}[0-9]", reach=4),
    TokenRule("terraform-token", (".atlasv1.",), "[A-Za-z0-9_=-]{30,120}", back=f"{ALNUM}{{8,20}}", reach=20),
    TokenRule("maxmind-key", ("_mmk",), f"(?!{ALNUM})", back=f"{ALNUM}{{6}}_{ALNUM}{{29}}", reach=40, mixed=False),
    TokenRule("openai-key", ("T3BlbkFJ",), "[A-Za-z0-9_-]{10,200}", back="(?:sk-)?[A-Za-z0-9_-]{10,200}", reach=210),
    TokenRule(
        "authress-key",
        (".acc_", ".acc-"),
        r"[a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
        back=r"[a-z0-9_.]{10,50}",
        reach=50,
    ),
)
