"""Texts with a secret between « and », by place, and as many harmless ones that look alike. Values: `shapes`."""

from __future__ import annotations

SURE: dict[str, tuple[str, ...]] = {
    "environment": (
        "MYSQL_PASSWORD=«{P}»", "export SMTP_PASS=«{P}»", "REDIS_PASSWORD='«{P}»'", 'ADMIN_PASSWORD="«{P}»"', "ENV GRAFANA_PASSWORD=«{P}»",
        "docker run -e POSTGRES_PASSWORD=«{P}» postgres:16", "APP_ENV=prod\nLDAP_BIND_PASSWORD=«{P}»\nLDAP_HOST=ldap.internal", "set WIFI_PASSWORD=«{P}»",
        "$env:VPN_PASSWORD = '«{P}»'", "PGPASSWORD=«{P}» psql -h db -U app shop", "KEYSTORE_PASS=«{P}» ./gradlew bundle", "FTP_PWD=«{P}»  # rotated in May",
    ),
    "yaml": (
        "password: «{P}»", "  admin_password: «{P}»", "db:\n  user: app\n  password: «{P}»\n  port: 5432", "smtp:\n  passwd: '«{P}»'",
        "- name: DB_PASSWORD\n  value: «{P}»", 'rabbitmq_password: "«{P}»"  # local', "stringData:\n  password: «{P}»", "auth:\n  username: bob\n  pass: «{P}»",
        "passwords:\n  - «{P}»\n  - «{P}»", "root_password: >-\n  «{P}»", "ansible_become_password: «{P}»",
    ),
    "json": (
        '{"user": "app", "password": "«{P}»"}', '{"db": {"host": "x", "passwd": "«{P}»"}}', '{\\"password\\": \\"«{P}»\\"}', '"adminPassword": "«{P}»",',
        '{"name": "SMTP_PASSWORD", "value": "«{P}»"}', '{"login": "bob", "pass": "«{P}»"}', '{"keystorePassword":"«{P}»","alias":"app"}',
        "{'password': '«{P}»', 'host': 'db'}",
    ),
    "code": (
        "password = '«{P}»'", 'PASSWORD: Final = "«{P}»"', "conn = connect(user='app', password='«{P}»', host='db')", "const dbPassword = `«{P}»`;",
        'String password = "«{P}»";', 'password := "«{P}»"', 'let admin_password: &str = "«{P}»";', "$password = '«{P}»';", "os.getenv('DB_PASSWORD', '«{P}»')",
        "process.env.DB_PASSWORD || '«{P}»'", "const pw = process.env.ADMIN_PASSWORD ?? \"«{P}»\"", 'config.get("smtp.password", "«{P}»")', "define('DB_PASSWORD', '«{P}»');",
        "os.environ['DB_PASSWORD'] = '«{P}»'", 'env::var("DB_PASSWORD").unwrap_or("«{P}»".into())', "${DB_PASSWORD:-«{P}»}", 'client.setPassword("«{P}»")',
        "password=SecretStr('«{P}»')", 'new SqlCredential { Password = "«{P}»" }', "if password == '«{P}»':",
    ),
    "ini and properties": (
        "[mysql]\nuser = app\npassword = «{P}»", "[db]\nhost=localhost\npassword=«{P}»\n", "spring.datasource.password=«{P}»", "mail.smtp.password: «{P}»",
        "db.user=app\ndb.password=«{P}»\ndb.pool=5", 'password = "«{P}»"  # toml', "[credentials]\nusername=bob\npassword=«{P}»",
    ),
    "addresses": (
        "postgres://app:«{P}»@db.internal:5432/shop", "mysql://root:«{P}»@127.0.0.1/shop", "amqp://svc:«{P}»@rabbit:5672/", "redis://:«{P}»@cache:6379/0",
        "mongodb+srv://admin:«{P}»@cluster0.abcde.mongodb.net/?retryWrites=true", "git clone https://bob:«{P}»@git.example.org/team/repo.git",
        "ftp://backup:«{P}»@files.example.org/x", "http_proxy=http://bob:«{P}»@proxy.corp:3128", "smtp://mailer:«{P}»@mail.example.org:587",
        "jdbc:postgresql://db/shop?user=app&password=«{P}»&ssl=true", "DATABASE_URL=\"mysql2://shop:«{P}»@db/shop\"",
    ),
    "connection strings": (
        "Server=db;Database=shop;User Id=sa;Password=«{P}»;", "Data Source=db;uid=app;pwd=«{P}»;Encrypt=true", "host=db user=app password=«{P}» dbname=shop",
        "Driver={ODBC};Server=h;UID=a;PWD=«{P}»", "Provider=SQLOLEDB;Password=«{P}»;User ID=x",
    ),
    "flags": (
        "mysqldump --password «{P}» shop > d.sql", "./tool --user bob --password=«{P}» --yes", "app login --passphrase '«{P}»'", "sshpass -p «{P}» ssh bob@host",
        "curl -u admin:«{P}» https://h.example/api", "curl --user 'bob:«{P}»' https://h.example", "mysql -u root -p«{P}» shop", "http -a bob:«{P}» https://h.example",
        "docker login -u bob -p «{P}» registry.example.org", "redis-cli -h cache -a «{P}» ping", "wget --user=bob --password=«{P}» https://h.example/x",
        "keytool -storepass «{P}» -list", "zip -P «{P}» out.zip in", "ldapsearch -D cn=admin -w «{P}» -b dc=x", "openssl pkcs12 -passout pass:«{P}» -in a",
        "echo '«{P}»' | sudo -S apt install x", "echo 'bob:«{P}»' | chpasswd", "ansible-playbook site.yml -e ansible_password=«{P}»", "net use x: \\\\h\\s /user:bob --password «{P}»",
    ),
    "sql": (
        "CREATE USER app IDENTIFIED BY '«{P}»';", "ALTER ROLE app WITH PASSWORD '«{P}»';", "ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '«{P}»';",
        "CREATE LOGIN bob WITH PASSWORD = '«{P}»';", "SET PASSWORD FOR 'bob'@'%' = '«{P}»';",
    ),
    "prompts": (
        "Password: «{P}»", "Enter password: «{P}»", "Password for 'https://bob@git.example.org': «{P}»", "[sudo] password for bob: «{P}»", "New password: «{P}»",
        "? Admin password: ❯ «{P}»", "? Database password › «{P}»", "Password [secret]: «{P}»", "bob@host's password: «{P}»", "Root password (leave empty to skip): «{P}»",
    ),
    "xml": (
        "<password>«{P}»</password>", "<Password>\n    «{P}»\n  </Password>", '<property name="password" value="«{P}»"/>', '<add key="AdminPassword" value="«{P}»" />',
        "<server><username>ci</username><password>«{P}»</password></server>", "<password><![CDATA[«{P}»]]></password>", "<key>password</key>\n\t<string>«{P}»</string>",
    ),
    "csv": (
        "user,password,role\nbob,«{P}»,admin\neve,«{P}»,user", "host;login;password\nh1;root;«{P}»", 'name,email,"password"\nBob,b@x.org,"«{P}»"', "user\tpassword\nbob\t«{P}»",
    ),
}  # fmt: skip
"""Places where whatever stands there is the password."""

UNSURE: dict[str, tuple[str, ...]] = {
    "prose": (
        "the password for the staging database: «{P}»", "The admin password is «{P}», change it after the first login.", "My wifi password is `«{P}»`.",
        "I set the root password to «{P}» yesterday.", "Use the password «{P}» for the test account.", "Log in with admin / «{P}»", "log in as bob with password «{P}»",
        "credentials: admin / «{P}»", "the login is admin, password: «{P}»", "«{P}» is the password of the demo account", "pwd for grafana: «{P}»",
        "user: admin\npass: «{P}»", "username/password: admin / «{P}»", "passphrase of the backup key: «{P}»", "Here is the new password:\n«{P}»",
    ),
    "languages": (
        "数据库密码：«{P}»", "密码是«{P}»，请不要外传", "测试账号的密码为「«{P}»」", "管理员密码: «{P}»", "パスワードは«{P}»です。", "パスワード：«{P}»", "管理者パスワード「«{P}»」を使ってください",
        "비밀번호는 «{P}» 입니다", "비밀번호: «{P}»", "Das Passwort lautet «{P}»", "Passwort: «{P}»", "Das Kennwort für Grafana: «{P}»", "Le mot de passe est «{P}»", "mot de passe : «{P}»",
        "La contraseña es «{P}»", "contraseña: «{P}»", "A senha é «{P}»", "senha do banco: «{P}»", "Пароль: «{P}»", "пароль от базы: «{P}»", "รหัสผ่านคือ «{P}»", "รหัสผ่าน: «{P}»",
        "mật khẩu là «{P}»", "Mật khẩu: «{P}»", "wachtwoord: «{P}»", "şifre: «{P}»", "hasło: «{P}»",
    ),
    "tables": (
        "| user | password |\n|------|----------|\n| bob | «{P}» |\n| eve | «{P}» |", "| Setting | Value |\n|---|---|\n| Admin password | «{P}» |",
        "USER   PASSWORD                        ROLE\nbob    «{P}»   admin", "| **DB password** | `«{P}»` |",
    ),
}  # fmt: skip
"""Places where the form of the value decides as well."""

TOKENS: dict[str, tuple[str, ...]] = {
    "long": (
        "DEPLOY_KEY_B64=«{b64:2100}»", "access_token: «{r900}.{r800}.{r43}»", "export VENDOR_API_KEY=«{r1400}»", "id_token=«{jwt:900}»", "https://h.example/cb?access_token=«{r2600}»&x=1",
        '{"refresh_token": "«{r700}»"}', "Authorization: Bearer «{r3000}»", "Cookie: session=«{r5000}»", "client_secret='«{S40}»'",
    ),
    "dotted": ("VENDOR_SECRET=«{l20}.{l20}.{l20}»", "api_token: «{r16}.{r24}»", "AUTH_TOKEN=«{l12}.{l30}»"),
    "operators": (
        "API_TOKEN += «{r32}»", "api_token .= '«{r32}»'", "CLIENT_SECRET ::= «{r40}»", "api_secret ~ «{r28}»", "deploy_key => «{r32}»", "TOKEN ?= «{r30}»", "set(API_TOKEN \"«{r32}»\")",
        "auth_token := «{r32}»", "SECRET_KEY||='«{r32}»'",
    ),
    "elements": ("<apiToken>«{r28}»</apiToken>", "<accessToken>\n  «{r32}»\n</accessToken>", "<key>apiKey</key>\n<string>«{r32}»</string>", '<string name="api_secret">«{r32}»</string>'),
    "blocks and lists": (
        "api_token: |\n  «{r32}»", "secret_key: >\n    «{r40}»\nother: 1", "tokens:\n  - «{r32}»\n  - «{r32}»", '{"api_keys": ["«{r32}»", "«{r32}»"]}', "token:\n  «{r32}»",
        "id,api_token,owner\n1,«{r30}»,bob\n2,«{r30}»,eve", "name\taccess_key\nx\t«{r32}»", "| Service | API key |\n|---|---|\n| maps | `«{r32}»` |",
        "{\"method\": \"auth.with_token\", \"params\": [\"«{r40}»\"]}",
    ),
    "sentences": (
        "Your access token (copy it now):\n\n«{r32}»\n", "Your new API key:\n«{r30}»", "«{r32}» is my API key", "use «{r32}» as the deploy token", "set «{r30}» as the webhook secret",
        "pixabay-KEY «{h32}»", "API key «{r32}» works", "my keys are «{r32}» as the token", "The API key for maps is «{r32}».", "令牌：«{r32}»", "APIキーは«{r32}»です", "API 키: «{r32}»",
    ),
    "builds": (
        "buildConfigField \"String\", \"MAPS_KEY\", \"\\\"«{h32}»\\\"\"", "resValue 'string', 'api_secret', '«{r32}»'", "buildConfigField('String', 'API_TOKEN', '\"«{r40}»\"')", "MAPS_KEY=«{h32}»",
        "VENDOR_API_SECRET=«{l16}»", "SERVICE_KEY: «{h40}»", "X-Api-Key: «{h32}»", "os.environ.get('APP_SECRET_KEY', '«{S40}»')", "getenv('API_TOKEN') or '«{r32}»'",
    ),
    "prompts": (
        "AWS Secret Access Key [None]: «{r40}»", "? Paste your API token: ❯ «{r32}»", "Enter your access token: «{r32}»", "API key [****]: «{r32}»", "? What is your secret key? › «{r40}»",
        "Token: «{r40}»", "? API key ❯ «{r32}»",
    ),
    "commands": (
        "$ openssl rand -base64 32\n«{b64:32}»", "$ terraform output -raw db_password\n«{r20}»", "$ vault kv get -field=password secret/db\n«{P}»", "$ pass show infra/db\n«{P}»",
        "$ op read op://infra/db/password\n«{r20}»", "$ gopass show -o infra/db\n«{r24}»", "$ cat /run/secrets/db_password\n«{r20}»", "$ gh auth token\n«{r40}»",
        "$ gcloud auth print-access-token\n«{r60}»", "❯ kubectl get secret db -o jsonpath='{.data.pw}' | base64 --decode\n«{r20}»", "$ echo $API_TOKEN\n«{r32}»", "$ printenv DB_PASSWORD\n«{P}»",
        "bob@host:~$ pwgen 20 1\n«{r20}»", "# head -c 32 /dev/urandom | base64\n«{b64:32}»", "$ kubectl create token deployer\n«{jwt:200}»", "$ security find-generic-password -s x -w\n«{P}»",
        "$ aws ecr get-login-password\n«{b64:900}»", "+ terraform output -raw token\n«{r40}»", "$ heroku auth:token\n«{uuid}»", "$ cat token.txt\n«{r32}»",
    ),
}  # fmt: skip
"""Places of tokens."""

PAIRS: tuple[str, ...] = (
    "aws: {id} / «{aws}»", "my keys are {id} and «{aws}»", "{id}:«{aws}»", "{id}\n«{aws}»", "User name,Access key ID,Secret access key\nbob,{id},«{aws}»", "Access key ID,Secret access key\n{id},«{aws}»",
    "key {id}, secret «{aws}»", "id={id} and then «{aws}»", "use {id} with «{aws}» please", "| {id} | «{aws}» |",
)  # fmt: skip
"""Secrets beside the id that they belong to."""

KEPT: tuple[str, ...] = (
    # ordinary words that also name secrets
    "All tests pass: `pnpm -C apps/web test --run login2`", "They pass with: `go test ./internal/auth2/... -count=1`", "PASS: src/token/parse2.test.ts", "pass: 12, fail: 0", "second pass: tokenize2",
    "first pass - lexer3 only", "pin: `ruff==0.6.9`", "pin: `python@3.12.4`", "Pin: node@20.11.1", "pins: pytest==8.3.2", "--pin: #1e293b;", "--pass: #34d399;", "--pass-rate 95%", "const pinKey = `pin:${item}`",
    "const otpKey = `otp:${user.email}`", "otp: string", "OTP expires after 10min", "pass `make check -j4` before you push", "to pass, run make lint2", "pass = compile(stage2)", "a pass/fail2 table",
    "| pass | 120 |", "pass: true", '"pass": 42', "the pass over v2.3.4 files", "login: see docs/login2.md",
    # keys of something else
    "cache key: node-modules-Linux-x64-{h64}", "Cache restored from key: cargo-linux-{h40}", "cache-key: v3-deps-{{ checksum \"go.sum\" }}", "redis key: `session:user:99812:v3`", "primary key: `order_id_v2`",
    "sort key: created_at2", "partition key: tenant#4021", "hot key: `Ctrl+K Ctrl+2`", "keyboard shortcut key: Cmd+Shift+P2", "foreign key: fk_orders_user_id_2", "object key: uploads/2026/05/img_20260501.png",
    "i18n key: settings.account2.title", "translation key: `errors.e404_2`", "dict key: user2name", "press any key: F12", "map key: k8s_node_17", "key: value2", "keyframes: fade3", "public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{r40}",
    "idempotency key: {uuid}", "key={item.id}", "keyId: {h16}",
    # weak prefixes
    "const hf_supportedServiceTypesForAccessoryMetadata = 2", "hf_model_name_or_path_for_training_v2", "![me](xoxo-party-2.jpg)", "desk_test_{l28}", "sk_X509_NAME_ENTRY_num(entries)", "sk-learn-contrib-imbalanced2",
    "risk_live_dashboard_component_v2", "pk_order_line_items_2026", "fw_update_progress_handler2", "co_author_of_commit_template", "re_compile_patterns_for_tokens2", "app-router-segment-config-v14",
    "npm_config_registry_url_override", "api_key_rotation_policy_document", "key_value_store_implementation",
    # public ids, versions, digests
    "stripe price_{r24} and prod_{r14}", "openai assistant asst_{r24} in thread_{r24}", "vercel deployment dpl_{r28}", "twilio account AC{h32}", "cid: bafybei{l52}", "step 2 of 3",
    "contract 0x{h40}", "github.com/spf13/cobra v1.8.1 h1:{b64:32}", "github.com/spf13/cobra v1.8.1/go.mod h1:{b64:32}", "golang.org/x/crypto v0.0.0-20240115123456-{h12}", "image: redis@sha256:{h64}",
    '"integrity": "sha512-{b64:64}"', "checksum = \"{h64}\"", "commit {h40}", "session {uuid}", "etag: W/\"{h32}\"", "trace_id={h32}", "build 20260501.3-{h8}", "sha256:{h64}", "ghcr.io/o/app:v2.1.0-{h7}", "run_{r24} finished",
    "cus_{r14} has sub_{r24}", "req_{r20} failed", "msg_{r24}", "file-{r24}", "projects/{uuid}/keys", "v2.3.4-rc.1+build.{h8}",
    # references and placeholders
    "Authorization: Bearer $API_TOKEN2", "Authorization: Bearer ${TOKEN}", "password: ${{ secrets.DB_PASSWORD }}", "DB_PASSWORD=${DB_PASSWORD}", "DB_PASSWORD=$(pass show db2)", "password: vault:secret/db#pw2",
    "password = os.environ['DB_PASSWORD2']", "password: process.env.DB_PASSWORD_2", "password=<your-password>", "password: '********'", "password=changeme", "PASSWORD=$PASSWORD2", "password: !vault |", "op://infra/db2/password",
    "token: ${env.TOKEN_2}", "passwordFile: /run/secrets/db_password2", "token file: /run/secrets/api_token_v2", "password_hash = hash2(password)", "password = getpass2('Password: ')", "password = form.password2.data",
    "password: str | None = None", "password: string;", "password: String!", "pub password: Secret<String>,", "Password string `json:\"password\"`", "password: hashedPassword,", "Password: cfg.Password2,", "password=password)",
    "password: user.password2", "password = new_password2", "if (password !== password2) return;", "secretKeyRef:\n  name: db2\n  key: password", "password = self.password2", "password=args.password2,", "https://user:password@host/x",
    "https://$USER:$PASS2@host/x", "http://localhost:3000/@user2", "postgres://user:pass@localhost/db", "docker://alpine:v3@sha256:{h64}", "curl -u $USER:$PASS2 https://h.example", "mysql -u root -p$PW2 shop", "sshpass -e ssh host2",
    # prose
    "DB password: ask the office (ext. 4021)", "Password: at least 12 characters and 1 digit", "the password is required since v2.1", "The password is stored in 1Password.", "password is hashed with bcrypt12",
    "the password is too short (min 8)", "passwords must be rotated every 90 days", "Wrong password for user bob2", "password reset link expires in 24h", "token limit 200k, max_tokens: 8192", "tokens: 128000 in, 4096 out",
    "secret scanning alert #12 closed", "secrets are stored in vault2", "API key: see https://docs.example.org/keys2", "the token is refreshed after 3600s", "access token lifetime: 15m", "credentials: read from ~/.aws/credentials2",
    "The key is to keep step2 small.", "a key insight: batch size 32", "log in with Google / GitHub", "log in as admin / editor", "sign in with email / password", "login with SSO or SAML2", "credentials are checked in auth2.py",
    "密码至少8位", "密码需要每90天更换", "パスワード: 12文字以上", "パスワードは8文字以上で入力してください", "비밀번호는 8자 이상", "Das Passwort muss 12 Zeichen haben", "Le mot de passe doit contenir 12 caractères", "La contraseña debe tener 8 caracteres",
    "Пароль: минимум 8 символов", "รหัสผ่านต้องมีอย่างน้อย 8 ตัวอักษร", "token 令牌 v2 格式", "密钥轮换见 docs/keys2.md",
    # tables, translations, outputs
    "| Field | Type | Password |\n|---|---|---|\n| a | string | yes |", "name,token_count,owner\nshop,1204,ops", "| Key | Action |\n|---|---|\n| Ctrl+K2 | search |", '{"password": "Passwort", "login": "Anmelden"}',
    '"password": "Mot de passe"', '"forgotPassword": "Forgot your password?"', '"passwordHint": "Mindestens 8 Zeichen"', "password: Contraseña", "$ cat README2.md\nslowwave2", "$ cat src/token2.ts\nexport", "$ echo $HOME\n/root/x2y",
    "$ openssl rand -hex 32 > key.hex\nok2done", "$ git rev-parse HEAD\n{h40}", "$ kubectl get pods2\nNAME", "$ TOKEN=$(gh auth token)\nrunning2", "base64 -d is a flag2", "$ sha256sum a2.bin\n{h64}  a2.bin",
)  # fmt: skip
"""Harmless texts."""
