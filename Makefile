# The project's commands. Each sets up what it needs first; see CONTRIBUTING.md.
PYTHON := .venv/bin/python
# What writes entries of the proof report; the other tests of the contract read it.
PROOFS := $(patsubst %,bindings/tests/test_numerics_%.py,vectors exhaustive casts integers movement sums cube norms)

.PHONY: run test test-exhaustive proof bench lint format docs wheel setup

run: setup
	$(PYTHON) examples/run_all.py

test:
	@scripts/setup.sh --clang
	@$(PYTHON) scripts/run_tests.py ctest pytest smoke

test-exhaustive:
	@scripts/setup.sh --clang
	@$(PYTHON) scripts/run_tests.py ctest pytest asan clang fuzz exhaustive mutation mutants

proof: setup
	rm -rf reports/numerics && mkdir -p reports/numerics
	ASCEMU_PROOF_REPORTS=reports/numerics build/refops/refops_tests --gtest_brief=1 --gtest_filter='*Proof*'
	ASCEMU_NEW_PROOFS=1 $(PYTHON) -m pytest -q -n 2 --dist loadgroup $(PROOFS)
	$(PYTHON) scripts/gather_proofs.py
	$(PYTHON) scripts/generate_docs.py

bench:
	@scripts/setup.sh --bench
	@scripts/bench.sh

lint:
	@scripts/setup.sh --no-build
	@scripts/lint.sh

format:
	@scripts/setup.sh --no-build
	@scripts/lint.sh --fix

docs: setup
	$(PYTHON) scripts/generate_docs.py
	$(PYTHON) scripts/check_docs.py

wheel: setup
	scripts/build_wheel.sh dist

setup:
	@scripts/setup.sh
