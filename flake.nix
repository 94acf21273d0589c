# Packages, checks and a development shell for Nix. Not built yet: no machine of the project reaches nixpkgs. It is parsed
# and evaluated with a stub in place of nixpkgs (tools/check_flake.py), so there is no flake.lock either.
{
  description = "Digests, output streams, tags, keys, samples and draws that give the same bytes in every language";

  # rustc 1.89 or later is needed.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      forAll = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      version = "0.1.0";
      license = [ "MIT" "Apache-2.0" ];

      # A part of the Cargo workspace.
      crate = pkgs: arguments: pkgs.rustPlatform.buildRustPackage ({
        inherit version;
        src = self;
        cargoLock.lockFile = ./Cargo.lock;
        # The tests need the whole repository and take hours: see dev/testing.md.
        doCheck = false;
      } // arguments);

      command = pkgs: crate pkgs {
        pname = "hashwell";
        cargoBuildFlags = [ "-p" "hashwell-cli" ];
        meta = { inherit license; mainProgram = "hashwell"; };
      };

      library = pkgs: crate pkgs {
        pname = "hashwell-c";
        buildType = "c";
        cargoBuildFlags = [ "-p" "hashwell-ffi" ];
        installPhase = ''
          PREFIX=$out sh crates/hashwell-ffi/install "$(dirname "$(find target -path '*/c/libhashwell_ffi.so')")"
        '';
        meta = { inherit license; };
      };

      python = pkgs: pkgs.python3Packages.buildPythonPackage {
        pname = "hashwell";
        inherit version;
        pyproject = true;
        src = self;
        cargoDeps = pkgs.rustPlatform.importCargoLock { lockFile = ./Cargo.lock; };
        nativeBuildInputs = [ pkgs.rustPlatform.cargoSetupHook pkgs.rustPlatform.maturinBuildHook ];
        pythonImportsCheck = [ "hashwell" ];
        meta = { inherit license; };
      };

      # The dependencies of each Haskell package, as in its .cabal file.
      haskellDepends = {
        hashwell-sha256 = [ "base" "bytestring" ];
        hashwell-sha512 = [ "base" "bytestring" ];
        hashwell-hmac-drbg = [ "base" "bytestring" "primitive" ];
        hashwell-sampling = [ "base" "mwc-random" "primitive" "random" "vector" ];
        hashwell-process = [
          "base" "bytestring" "containers" "free" "hashwell-sampling" "hashwell-sha256" "mwc-random" "primitive"
        ];
        hashwell = [
          "base" "bytestring" "containers" "foldl" "hashwell-hmac-drbg" "hashwell-process" "hashwell-sampling" "primitive"
          "random" "text" "transformers" "vector"
        ];
      };
      haskellTestDepends = {
        hashwell-sha256 = [ ];
        hashwell-sha512 = [ ];
        hashwell-hmac-drbg = [ "hashwell-sha256" "hashwell-sha512" ];
        hashwell-sampling = [ ];
        hashwell-process = [ ];
        hashwell = [ ];
      };

      haskell = pkgs:
        let
          packages = builtins.mapAttrs (pname: depends:
            pkgs.haskellPackages.mkDerivation {
              inherit pname;
              version = "${version}.0";
              src = self;
              # The licenses are links to files at the top.
              postUnpack = "sourceRoot+=/haskell/${pname}";
              libraryHaskellDepends = map named depends;
              testHaskellDepends = map named haskellTestDepends.${pname};
              libraryPkgconfigDepends = if pname == "hashwell" then [ (library pkgs) ] else [ ];
              # Its tests read the repository's vectors: see haskell/hashwell/test/run.
              doCheck = pname != "hashwell";
              license = "(MIT OR Apache-2.0)";
            }) haskellDepends;
          named = name: packages.${name} or pkgs.haskellPackages.${name};
        in
        packages;
    in
    {
      packages = forAll (pkgs:
        let packages = haskell pkgs;
        in {
          default = command pkgs;
          command = command pkgs;
          library = library pkgs;
          python = python pkgs;
          haskell = packages.hashwell;
          haskell-sha256 = packages.hashwell-sha256;
          haskell-sha512 = packages.hashwell-sha512;
          haskell-hmac-drbg = packages.hashwell-hmac-drbg;
          haskell-sampling = packages.hashwell-sampling;
          haskell-process = packages.hashwell-process;
        });

      # Building the Haskell packages runs their tests.
      checks = forAll (pkgs: removeAttrs self.packages.${pkgs.system} [ "default" ] // {
        digest = pkgs.runCommand "hashwell-digest" { } ''
          printf abc | ${command pkgs}/bin/hashwell sum -a sha256 | grep -q ^ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
          touch $out
        '';
      });

      devShells = forAll (pkgs: {
        default = pkgs.mkShell {
          packages = with pkgs; [
            cargo rustc clippy rustfmt gnumake pkg-config gcc python3 maturin nodejs ghc cabal-install
          ];
        };
      });
    };
}
