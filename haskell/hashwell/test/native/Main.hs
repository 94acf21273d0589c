-- |
-- All tests: known answers, agreement of equivalent functions, and errors.
module Main (main) where

import qualified DigestTests
import qualified DrawTests
import qualified DrbgTests
import qualified KeyTests
import qualified ProcessTests
import qualified RandomTests
import qualified SamplingTests
import Test.Tasty (defaultMain, testGroup)

main :: IO ()
main = defaultMain $ testGroup "hashwell"
  [ DigestTests.tests
  , KeyTests.tests
  , DrbgTests.tests
  , RandomTests.tests
  , DrawTests.tests
  , SamplingTests.tests
  , ProcessTests.tests
  ]
