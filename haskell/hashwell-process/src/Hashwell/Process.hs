-- | Recursive stochastic processes. A process is a program that denotes a distribution; recursion schemes unfold it
-- from a function of a state. You can sample it, compute its exact distribution, or compute the probability of a run.
-- The language and the recursion schemes follow J. Tobin's posts on the subject (2017, 2024). Terms consume random
-- numbers as hwdraw\/1 specifies, so a seed gives the same values in Haskell as in the other languages.
--
-- >>> :set -XOverloadedStrings
-- >>> seeded "round 7" (crp Futu 10 1.5)
-- [[9,8,7,6,5,2,1,0],[3],[4]]
--
-- An example with the generator of @mwc-random@:
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
