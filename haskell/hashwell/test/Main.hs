-- |
-- All tests: known answers, agreement of every way to the same bytes, refusals.
module Main (main) where

import qualified DigestTests
import qualified DrbgTests
import qualified KeyTests
import qualified RandomTests
import Test.Tasty (defaultMain, testGroup)

main :: IO ()
main = defaultMain $ testGroup "hashwell"
  [ DigestTests.tests
  , KeyTests.tests
  , DrbgTests.tests
  , RandomTests.tests
  ]
