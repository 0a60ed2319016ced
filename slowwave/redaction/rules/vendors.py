"""Names of services that issue credentials. A random value beside one of them is theirs, and secret.

Names that are also common words (`box`, `front`, `segment`) count only where the name is assigned to.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise

from slowwave.text.lazy import lazy

_DISTINCT = """
abstractapi abuseipdb abyssale accuweather acuity adafruit adobe adyen adzuna agora aha ahrefs aikido airbrake airbyte airship airtable airvisual
aiven akamai akeyless alchemy alegra algolia alibaba aliyun alienvault amadeus ambee amplitude anthropic anypoint apacta apify apilayer apigee
apollo appcenter appdynamics appfollow appoptics appsflyer appsmith appveyor artifactory asaas asana ascend assemblyai astra atlassian atera auth0
authress autodesk avalara avaza aws axiom axonaut aylien ayrshare azure backblaze bamboohr bannerbear baremetrics baseten beamer beebole
besttime betterstack bigcommerce billomat bingmaps bitbar bitbucket bitcoinaverage bitfinex bitly bitmex bitrise bittrex bitwarden blocknative blockchair
blogger bombbomb bored boostnote braintree brandfetch braze brevo browshot browserbase browserstack bscscan bubble buddyns budibase bugherd bugsnag buildkite
bulbul bulksms buttercms bybit caflou calendarific calendly callfire callrail campayn canny canva capsulecrm captaindata carboninterface cartesia
carto cashboard caspio censys centralstation cerebras cexio chargebee chargify chartmogul chatbot chatfule checio checkly checkmarket checkvist cicero circleci
cisco clarifai clearbit clerk clickhelp clicksend clicksend clickup clinchpad clockify clockwork clojars closecrm cloudant cloudconvert cloudelements
cloudflare cloudimage cloudinary cloudmersive cloudplan cloudsight cloudsmith cloudways cloverly cloze clustdoc coda codacy codeclimate codecov codemagic codequiry
cohere coinapi coinbase coinlayer coinlib collect2 columncom comet commercejs commodities companyhub composio configcat confluence confluent contentful contentstack conversiontools
convertapi convertkit convier convoso copper coralogix couchbase courier coveralls craftmyup crates crisp crossmint crowdin crowdstrike cryptocompare
currencycloud currencyfreaks currencylayer currencyscoop currentsapi customerguru customerio d7network dadata dailyco dandelion dareboost databento databox
databricks datadog dataforseo datagov datastax deepai deepgram deepl deepseek deepset demio descope deputy detectlanguage devcycle dfuse diffbot diggernaut
digitalocean directus discogs discord disqus ditto dnscheck docker dockerhub docparser documo docusign doppler dotdigital dovico drift drone dronahq droneci
dropbox duffel duply dwolla dyntrace dynadot dynatrace e2b easyinsight easypost ebay ecostruxure edamam edenai eightxeight elastic elasticemail elevenlabs enablex
endorlabs enigma envoyapproval equinix eraser etherscan etsy eventbrite everhour exa exchangerate exchangeratesapi exportsdk extractorapi facebook faceplusplus facepp fastforex fastly
fastspring fibery figma fileio filestack finage financialmodelingprep findl finicity finnhub firebase firecrawl fireworks fixerio flatio fleetbase flickr flightapi
flightlabs flightstats float flowflu flutterwave fmfw formbucket formcraft formio formsite foursquare frameio freshbooks freshdesk freshservice freshworks friendli frontegg fullstory fulcrum fusebill
fxmarket gcnotify gcp gemini gengo geoapify geocode geocodify geocodio geoipifi getemail getemails getgeoapi getgist getresponse getsandbox ghost giphy github gitee
gitguardian gitlab gitter glassnode glean gocanvas gocardless godaddy goodday googleapi googlemaps grafana graphcms graphhopper groovehq groq gtmetrix guardianapi guru
gumroad gyazo harness harvest hashicorp happyscribe helicone hellosign helpcrunch helpscout hereapi heroku hetzner hg hightouch hive hiveage holidayapi holistic honeybadger
honeycomb host hotjar hubspot huggingface humanity hunterio hybiscus hyperbolic hypertrack iam ibm iconfinder iexapis iexcloud imagekit imagga impala
impresso infobip infracost infura instabot instagram instamojo intercom interseller intra42 intrinio invoiceocean ionos ipapi ipdata ipgeolocation ipify ipinfo ipinfodb ipquality ipstack jambonz jdbc
jenkins jfrog jina jira jotform jumpcloud jumpseller juro kanban kanbantool karmacrm kentico keen keygen kickbox kinde kite klaviyo klipfolio knapsack knock kontent koyeb kraken kucoin kubernetes
kylas lacework lambdalabs lambdatest langchain langfuse langsmith larksuite lastfm launchdarkly leadfeeder lemlist lemonsqueezy lendflow lessannoyingcrm lexigram lightstep lime linear linenotify
linkedin linkpreview liveagent liveblocks livestorm llamacloud llamaindex lob locationiq logentries loggly loginradius logrocket logtail logz lokalise loopsso looker luno m3o macaddress madkudu magento magnetic
mailboxlayer mailboxvalidator mailchimp mailerlite mailersend mailgun mailinator mailjet mailmodo mailsac mailtrap mandrill mapbox mapquest marketstack mattermost mavenlink maxmind meaningcloud mediastack meilisearch memcached
meraki mercury mesibo messagebird metaapi metabase metrilo microcms midjourney mindmeister mistral miro mixcloud mixpanel mockaroo moderation modal moengage mojohelp moonclerk
moosend moralis mrticktock mux myfreshworks myintervals nasdaq nasa nebius neon neptune nethunt netlify netcore netsuite neutrinoapi newrelic newsapi newscatcher nexmo nftport nicereply nightfall nimble
nitro noticeable notion novita npm nozbe nugetapi numverify nutritionix nvidia nylas nytimes oanda octopus okta omnisend onedesk onelogin onepage onesignal onfleet oopspam openai opencage opendatasoft openexchange openexchangerates
openrouter openuv openvpn openweather openweathermap opsgenie optimizely optidash ovh overloop owlbot packagecloud packagist paddle pagerduty pandadoc pandascore paperform paperspace parabola paralleldots
parallels parsehub parsers parseur partnerstack passbase pastebin paydirt paymo paymongo paypal paystack pdflayer pdfshift peopledatalabs pepipost percy perplexity phraseapp pinata pinecone pinterest pipedream pipedrive pivotaltracker
pixabay plaid planetscale planviewleankit planyo playht plivo podio pollsapi poloniex polygon polymarket portkey portainer positionstack postageapp postbacks posthog postman postmark powrbot prefect printful
privacycom privateai privatekey prodpad productboard prospectcrm protocolsio proxycrawl pubnub pulumi purestake pushbullet pusher pushover qase qdrant qiniu qualaroo qualys quickbase quickmetrics quicknode rabbitmq railway
ramp rapidapi rapid7 raven razorpay readme rebrandly recaptcha rechargepayments recruitee recurly reddit refiner render rentman repairshopr replicate replyio replit reka requestfinance resend restpack retell retoolapi
rev revai revampcrm revenuecat ringcentral ritekit roaring robinhood rocketreach rockset rollbar rootly route4me rownd rubygems runpod runrunit runway salesblink salescookie salesflare salesforce salesmate salesmsg samsara sanity
satismeter saucelabs scaleway scalingo scalr scrapeowl scraperapi scraperbox scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer scrutinizer securitytrails segment selectpdf selenium semaphore semrush sendbird
sendbirdorganization sendgrid sendinblue sentiment sentry serpapi serper serphouse serpstack serveo settlemint sevenrooms shareasale sheety sherpadesk shipday shippo shippo shodan shopify shortcut shortio shotstack
shutterstock sidekiq signable signalwire signaturit signupgenius sigopt siliconflow simfin simplesat simplybook simvoly sinch sirv sitekit siteleaf skrappio skybiometry skype slack smartling smartsheets smartystreets smooch snipcart snowflake snyk
snykkey socketio solcast sonarcloud sonarqube sourcegraph sparkpost speechtext splunk spoonacular sportradar sportsmonk spotify spotinst springboot square squarespace squareup squarecloud sslmate stability statuscake statuspage statuspal statsig
stitchdata stockdata storecove stormboard stormglass storyblok storychief strava streak stream stripe stripo stytch sugester sumologic supabase supernotes supertokens surge surveyanyplace surveybot surveymonkey
surveysparrow survicate svix swell swiftype symbl synthesia tableau tailscale talkdesk tallyfy tatum taxjar tavily teamgate teamwork teamviewer technicalanalysis telegram telnyx temporal terraform testingbot testrail tencent textmagic theoddsapi
thinkific thirdweb thousandeyes thunderstore ticketmaster ticktick tiingo timecamp timezoneapi tineswebhook tink tinybird tmetric todoist together togetherai toggl tomorrowio tomtom tradier transferwise travelpayouts travisci trello trengo trigger tripadvisor truenas
trufflehog turso twelvedata twilio twist twitch twitter twitterapi tyntec typeform typesense typetalk ubidots uclassify unbounce unify unifyid unkey unplugg unsplash upcdatabase upcloud uplead uploadcare uploadthing uproc upstage upstash
uptimerobot urlscan userflow userstack vagrantcloud valtown vapi vault vbout vectara vellum verifalia verimail veriphone vercel versioneye viewneo virustotal visualcrossing voiceflow voicegain volcengine voodoosms vonage vouchery voyage vpnapi vultr
vyte walkscore wakatime wandb weatherbit weatherstack weaviate webex webflow webscraper webscraping websitepulse weights wepay whoxy wistia wit wiz woocommerce wordpress workato workday workos workstack worldcoinindex worldweather wrike writer
xata xendit xero xinge yandex yelp yext ynab youneedabudget yousign youtube zapier zapierwebhook zeebe zenkitapi zendesk zenrows zenscrape zenserp zeplin zerobounce zerossl zerotier zhipu zipapi zipbooks zipcodeapi ziprecruiter zoho zonka zoom zoominfo zulip zuora zuplo
""".split()  # noqa: SIM905 - a word list reads better unquoted

_AMBIGUOUS = frozenset(
    [
        "aha",
        "apollo",
        "ascend",
        "astra",
        "besttime",
        "bored",
        "box",
        "bubble",
        "chatbot",
        "clockwork",
        "coda",
        "columncom",
        "comet",
        "commodities",
        "copper",
        "courier",
        "crates",
        "crisp",
        "deputy",
        "discord",
        "ditto",
        "drift",
        "drone",
        "elastic",
        "exa",
        "float",
        "formio",
        "front",
        "gcp",
        "gemini",
        "ghost",
        "guru",
        "harvest",
        "hg",
        "hive",
        "host",
        "holistic",
        "iam",
        "ibm",
        "keen",
        "kite",
        "kraken",
        "kubernetes",
        "jdbc",
        "linear",
        "looker",
        "lime",
        "magnetic",
        "modal",
        "moderation",
        "nimble",
        "neon",
        "neptune",
        "nitro",
        "npm",
        "octopus",
        "onepage",
        "privatekey",
        "ramp",
        "raven",
        "render",
        "replicate",
        "rev",
        "route",
        "segment",
        "selenium",
        "sentiment",
        "share",
        "square",
        "stability",
        "stream",
        "surge",
        "swell",
        "temporal",
        "together",
        "trigger",
        "twist",
        "unify",
        "vault",
        "weights",
        "wit",
        "writer",
        "socketio",
        "springboot",
        "memcached",
        "rabbitmq",
        "terraform",
        "docker",
        "dockerhub",
        "github",
        "gitlab",
        "bitbucket",
        "youtube",
        "twitter",
        "facebook",
        "linkedin",
        "instagram",
        "wordpress",
        "aws",
        "azure",
        "jira",
        "confluence",
    ]
)


@cache
def vendors() -> frozenset[str]:
    """Every service name, lower case, without separators."""
    return frozenset(_DISTINCT)


@cache
def distinct_vendors() -> frozenset[str]:
    """Service names that mean nothing else."""
    return vendors() - _AMBIGUOUS


_WORDS = lazy(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=4096)
def near_a_service(before: str) -> bool:
    """Whether a service's name may stand in this text: a cheap look, since most runs are digests beside none."""
    words = [word.lower() for word in _WORDS.findall(before)]
    known = distinct_vendors()
    return not known.isdisjoint(words) or not known.isdisjoint(map("".join, pairwise(words)))
