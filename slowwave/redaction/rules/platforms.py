"""Tokens of clouds, code hosts, registries, CI and deployment platforms, from the vendors' own documentation."""

from __future__ import annotations

from slowwave.redaction.rules.rule import ALNUM, TokenRule, rows

CLOUDS = rows(r"""
aws-access-key-id | AKIA ASIA ABIA ACCA | [A-Z2-7]{12,32}
aws-id | AROA AIDA AGPA AIPA ANPA ANVA APKA ASCA | [A-Z2-7]{16,32} | em
aws-bedrock-key | ABSK | %B{60,400}={0,2}
aws-bedrock-key | bedrock-api-key- | [A-Za-z0-9+/=_-]{20,2048}
aws-session-token | IQoJb3JpZ2luX2Vj FwoGZXIvYXdz FQoGZXIvYXdz | [A-Za-z0-9+/=%]{20,4096}
aws-mws-token | amzn.mws. | [0-9a-f-]{32,40}
amazon-oauth | amzn1.oa2-cs.v1. Atza| Atzr| | [A-Za-z0-9_|-]{20,2048}
google-api-key | AIza | %U{30,80}
google-oauth-secret | GOCSPX- | %U{20,80}
google-access-token | ya29. | [A-Za-z0-9_.-]{20,2048}
google-refresh-token | 1//0 | %U{30,512} | e
google-hmac-key | GOOG1E | [A-Z0-9]{20,80}
google-recaptcha-secret | 6L | [c-f]%U{37,38} | em
alibaba-access-key | LTAI | %A{12,40} | e
tencent-secret-id | AKID | %A{30,40} | em
ibm-api-key | ApiKey- | %U{30,64} | e
digitalocean-token | dop_v1_ doo_v1_ dor_v1_ | %H{20,128}
linode-token | linode_ | %H{32,128} | em
scaleway-key | SCW | [A-Z0-9]{17} | em
yandex-token | AQVN | %U{30,64} | em
yandex-token | y0_ t1.9eu | [A-Za-z0-9_.-]{30,1024} | em
yandex-token | YCAJE YCM YCN YCO YCP | %U{20,60} | em
oracle-ocid-key | ocid1.credential. | [a-z0-9._-]{20,255}
hetzner-token | hcloud_ | %A{40,80} | em
ovh-token | ovh_ | %U{30,80} | em
vultr-token | VULTR- | %A{20,64} | em
azure-ad-secret | 7Q~ 8Q~ 9Q~ 0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ | [A-Za-z0-9_.~-]{31,40}
azure-function-key | AzFu | [A-Za-z0-9_+/=-]{4,40} | e
cloudflare-ca-key | v1.0- | %H{24}-%H{100,200}
cloudflare-token | cfat_ cfut_ cfk_ cf_api_token_ | %U{30,80}
heroku-key | HRKU- | %U{36,80}
fly-token | fm1r_ fm2_ fm1a_ fo1_ | [A-Za-z0-9+/=_,-]{40,4096}
netlify-token | nfp_ nfc_ nfo_ nfu_ nfb_ | %A{30,64}
vercel-token | vcp_ vci_ vca_ vcr_ vck_ vcs_ vercel_blob_rw_ | [A-Za-z0-9_]{20,120}
render-key | rnd_ | %A{20,64} | em
railway-token | railway_ rlwy_ | %U{20,80} | em
koyeb-token | koyeb_ | %A{30,80} | em
ngrok-key | ngrok_ | [A-Za-z0-9_]{30,64} | em
tailscale-key | tskey- | [A-Za-z0-9-]{16,120}
zerotier-token | ztc_ zt_api_ | %A{24,64} | em
pulumi-token | pul- | %H{32,64}
terraform-cloud-token | tfc_ | %A{30,80} | em
spacelift-token | spacelift_ | %U{30,80} | em
vault-token | hvs. hvb. hvr. | %U{20,300}
vault-token | s. b. | %A{24} | em
infracost-key | ico- | %A{30,40}
doppler-token | dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said. | [A-Za-z0-9._-]{16,120}
infisical-token | st. | [0-9a-f]{24}\.[0-9a-f]{20,64}\.[0-9a-f]{20,64} | e
onepassword-token | ops_eyJ | %U{40,2048}={0,2}
akeyless-key | p-akl | %A{8,64} | e
age-secret-key | AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1 AGE-PLUGIN- | [A-Z0-9-]{20,2048}
teleport-token | teleport_ | %A{30,64} | em
docker-token | dckr_pat_ dckr_oat_ | %U{20,64}
harness-token | pat. sat. | %U{22}\.[0-9a-fA-F]{24}\.%A{20} | e
prefect-key | pnu_ pnb_ | %A{24,64}
duffel-token | duffel_live_ duffel_test_ | %U{20,80}
databricks-token | dapi | %H{32}(?:-\d)?
databricks-token | dose dkea dsapi | %H{32}(?:-\d)? | em
snowflake-token | ver:1-hint: | [0-9]{4,24}-ETMsDgAAA[A-Za-z0-9+/=]{30,1024}
confluent-secret | cflt | [A-Za-z0-9+/]{40,80} | em
aiven-token | AVNS_ aivenv1 | [A-Za-z0-9_+/=-]{10,500}
planetscale-token | pscale_tkn_ pscale_oauth_ pscale_pw_ pscale_app_ pscale_api_ | [A-Za-z0-9=._-]{20,100}
neon-key | napi_ | [a-z0-9]{40,80} | e
neon-password | npg_ | %A{10,40} | em
turso-token | turso_ | %U{30,500} | em
supabase-token | sbp_ sb_secret_ sb_temp_ sbs_ | [A-Za-z0-9_-]{20,80}
xata-key | xau_ xoa_ | %A{20,80} | em
upstash-token | UPSTASH_ | [A-Za-z0-9=]{40,120} | em
cockroach-key | CCDB1_ | [A-Za-z0-9_]{20,100}
crates-io-token | cio | %A{32} | em
npm-token | npm_ | %A{30,64} | e
pypi-token | pypi-AgE pypi-AgENdGVzdC5weXBp | %U{30,1024}
rubygems-key | rubygems_ | %H{40,64}
nuget-key | oy2 | [a-z0-9]{43} | e
clojars-token | CLOJARS_ | [a-z0-9]{40,80}
hex-pm-key | hexpm_ | %H{32,64} | em
packagist-token | packagist_uut_ packagist_out_ packagist_ack_ packagist_ | %A{20,100} | em
cloudsmith-token | csa_ | %A{30,64} | em
artifactory-token | AKCp | %A{10,100} | e
artifactory-token | cmVmdGtuO | [A-Za-z0-9+/]{40,100}
jfrog-token | eyJ2ZXIiOiIyIiwidHlwIjoi | [A-Za-z0-9._-]{60,2048}
""")

CODE_HOSTS = rows(r"""
github-token | ghp_ gho_ ghu_ ghs_ ghr_ | [A-Za-z0-9_]{16,255}(?:\.[A-Za-z0-9_-]{4,1024}){0,2}
github-token | github_pat_ | [A-Za-z0-9_]{20,255}
github-webhook-token | v1. | [0-9a-f]{40} | em
gitlab-token | glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt- | [A-Za-z0-9_.-]{16,300}
gitlab-runner-token | GR1348941 | %U{16,64}
gitlab-session | _gitlab_session= | [0-9a-f]{20,64}
bitbucket-token | ATBB | %A{24,64} | em
bitbucket-token | BBDC- | [A-Za-z0-9+/@_-]{40,64}
atlassian-token | ATATT3 ATCTT3 ATSTT3 | [A-Za-z0-9_=-]{40,300}
gitea-token | gta_ gtr_ gtu_ gitea_ | %A{30,64} | em
gogs-token | gogs_ | %H{40} | em
sourcegraph-token | sgp_ slk_ sgd_ sgph_ | [A-Za-z0-9_]{30,120} | e
sourcehut-token | srht_ | %U{30,100} | em
codeberg-token | cbt_ | %H{40} | em
circleci-token | CCIPAT_ CCIPRJ_ | [A-Za-z0-9_]{30,120}
buildkite-token | bkua_ bkaj_ bkat_ bkct_ bkpt_ bkrt_ | [A-Za-z0-9_-]{30,80}
travis-token | travis_ | %A{20,40} | em
drone-token | drone_ | %A{32} | em
codecov-token | codecov_ | %A{30,64} | em
sonar-token | squ_ sqp_ sqa_ | %H{40}
snyk-token | snyk_uat. snyk_sat. | [A-Za-z0-9._-]{20,512}
semgrep-token | semgrep_ | %A{30,80} | em
jenkins-token | jenkins_ | %H{32,36} | em
nx-token | nx_ | %A{40,80} | em
depot-token | depot_org_ depot_project_ depot_ | %A{30,80} | em
earthly-token | earthly- | %A{32} | em
expo-token | expo_ | %U{40} | em
eas-token | exp_ | %A{30,64} | em
replit-token | replit_ | %U{30,80} | em
gitpod-token | gitpod_pat_ | [A-Za-z0-9._-]{30,200}
coder-token | coder_ | %A{20,80} | em
warp-token | wk-1. | [A-Za-z0-9.]{40,120}
tuist-token | tuist_ | [A-Za-z0-9-]{30,120} | em
graphite-token | gt_pat_ | %A{20,80}
launchdarkly-key | sdk- mob- api- rel- | [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} | em
configcat-key | configcat-sdk-1/ | [A-Za-z0-9_/-]{22,60}
flagsmith-key | ser. | %A{20,32} | em
""")

OTHERS: tuple[TokenRule, ...] = (
    TokenRule("azure-devops-token", ("AZDO",), f"{ALNUM}{{4}}", back=f"(?<![A-Za-z0-9]){ALNUM}{{70,80}}", reach=84),
    TokenRule(
        "azure-key",
        ("AzSe", "ACDb", "+ASt", "AIoT", "AEhb", "ARm7", "AzCa", "+AMC", "+ACR"),
        "[A-Za-z0-9+/=]{4,40}",
        back="(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{30,80}",
        reach=84,
    ),
    TokenRule("azure-ai-key", ("JQQJ99",), f"{ALNUM}{{4,60}}", back=f"(?<![A-Za-z0-9]){ALNUM}{{40,80}}", reach=84),
    TokenRule("azure-ad-secret", ("Q~",), "[A-Za-z0-9_.~-]{31,40}", back="[A-Za-z0-9_.~-]{3}[0-9]", reach=4),
    TokenRule("terraform-cloud-token", (".atlasv1.",), "[A-Za-z0-9_=-]{30,120}", back=f"{ALNUM}{{8,20}}", reach=20),
    TokenRule("openai-key", ("T3BlbkFJ",), "[A-Za-z0-9_-]{10,200}", back="(?:sk-)?[A-Za-z0-9_-]{10,200}", reach=210),
)
