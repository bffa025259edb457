# Two commands for a fresh Debian or Ubuntu machine, as root, with Go 1.26 on the PATH:
#   make quickstart   real fio in a directory of this machine: verdict and report within two minutes
#   make test         everything that is tested

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.PHONY: build quickstart test soak lint bench deps-quickstart deps-test

QUICKSTART_PACKAGES := fio
TEST_PACKAGES := fio tmux fonts-noto-cjk gcc libc6-dev procps git ca-certificates openssh-server openssh-client sudo sysbench iperf3 iproute2 mariadb-server util-linux e2fsprogs mount user-mode-linux mdadm xfsprogs btrfs-progs kmod udev

# install takes the names of Debian packages and installs those that are missing.
define install
missing=(); for p in $(1); do dpkg-query -W -f='$${Status}' "$$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$$p"); done; \
if [ "$${#missing[@]}" -gt 0 ]; then \
  if [ "$$(id -u)" != 0 ]; then echo "These packages are missing, and only root can install them: $${missing[*]}" >&2; exit 1; fi; \
  apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$${missing[@]}"; \
fi
endef

build:
	go build -trimpath -o bin/assay ./cmd/assay

deps-quickstart:
	@$(call install,$(QUICKSTART_PACKAGES))

quickstart: deps-quickstart build
	bin/assay apply specs/quickstart

# Nothing that is installed for the tests is started, and newly installed servers are not enabled either: the tests start their
# own, on loopback and on sockets. Ubuntu calls its Chromium chromium-browser.
deps-test:
	@new=; command -v sshd > /dev/null || new="ssh.service ssh.socket"; command -v mariadbd > /dev/null || new="$$new mariadb.service"; \
	if [ "$$(id -u)" = 0 ] && [ ! -e /usr/sbin/policy-rc.d ]; then \
	  printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d; trap 'rm -f /usr/sbin/policy-rc.d' EXIT; \
	fi; \
	$(call install,$(TEST_PACKAGES)); \
	command -v chromium > /dev/null || command -v chromium-browser > /dev/null || \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium || \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium-browser; \
	if [ -n "$$new" ] && command -v systemctl > /dev/null; then systemctl disable --quiet $$new 2> /dev/null || true; fi

lint:
	@test -z "$$(gofmt -l cmd engine lang providers | tee /dev/stderr)" || { echo "gofmt -w these files" >&2; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	go test -run TestImports ./cmd/assay

# The log has every test by name; what is printed is one line for each package, and what failed. In CI no test may skip. Providers as programs
# of their own are tested without the race detector, which makes their start many times slower.
test: deps-test lint
	@mkdir -p .assay; status=0; \
	go test -race -timeout 30m -v ./... > .assay/test.log 2>&1 || status=$$?; \
	go test -timeout 30m -v -run TestConformance ./providers/... >> .assay/test.log 2>&1 || status=$$?; \
	grep -E '^(ok|FAIL|panic:)|^ *--- (FAIL|SKIP)' .assay/test.log || true; \
	if [ "$$status" != 0 ]; then grep -vE '^ *(=== |--- PASS|PASS)' .assay/test.log | tail -n 200; exit "$$status"; fi; \
	if [ "$${CI:-}" = true ] && grep -qE '^ *--- SKIP' .assay/test.log; then echo "Tests were skipped; in CI none may." >&2; exit 1; fi

# Thousands of crashes: every failpoint, and processes killed at random moments.
soak:
	ASSAY_SOAK=1000 go test -timeout 0 -run 'TestKilled|TestCrash' -v ./cmd/assay ./engine/run

bench:
	go test -run '^$$' -bench . -benchmem ./...
