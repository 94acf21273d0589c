-- |
-- The tests of the package without the C library.
module Main (main) where

import qualified DrawTests
import qualified ProcessTests
import qualified PureTests
import qualified SamplingTests
import Test.Tasty (defaultMain, testGroup)

main :: IO ()
main = defaultMain $ testGroup "hashwell without the C library"
  [ PureTests.tests
  , DrawTests.testsWithout ["kt128", "shake256", "turboshake128"]
  , SamplingTests.tests
  , ProcessTests.tests
  ]
