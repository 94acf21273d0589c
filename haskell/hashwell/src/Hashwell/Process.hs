-- |
-- Recursive stochastic processes: programs that denote distributions, unfolded by schemes from functions of a state,
-- and then asked for a value, for the law, for how likely a run was. The language and the schemes are those of J.
-- Tobin's posts on the subject (2017, 2024); terms are made of words as hwdraw\/1 says, so that a seed gives in Haskell
-- what it gives in the other languages.
--
-- >>> :set -XOverloadedStrings
-- >>> seeded "round 7" (crp Futu 10 1.5)
-- [[9,8,7,6,5,2,1,0],[3],[4]]
--
-- A session of the document's, by @mwc-random@'s generator:
--
-- >>> import Control.Monad (replicateM)
-- >>> import qualified Hashwell.Probability as MWC
-- >>> gen <- MWC.create
-- >>> replicateM 10 (MWC.sample (prob (geometric 0.1)) gen)
-- [1,9,13,3,4,3,13,1,4,17]
module Hashwell.Process
  ( -- * The language
    module Hashwell.Process.Model
    -- * Interpreters
  , module Hashwell.Process.Interpret
    -- * Restaurants
  , module Hashwell.Process.Restaurant
    -- * Other processes
  , module Hashwell.Process.Library
  ) where

import Hashwell.Process.Interpret
import Hashwell.Process.Library
import Hashwell.Process.Model hiding (complaint)
import Hashwell.Process.Restaurant
