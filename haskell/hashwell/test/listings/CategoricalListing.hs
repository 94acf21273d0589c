{-# LANGUAGE DeriveFunctor #-}
{-# LANGUAGE LambdaCase #-}

-- | The alternative encodings of the Chinese restaurant process in the document, with a categorical term. The parts
-- that the document shows in angle brackets are filled in. Both have the distribution that "Hashwell.Process"
-- computes.
--
-- >>> import Control.Monad
-- >>> import qualified Hashwell.Process as P
-- >>> gen <- MWC.create
-- >>> let Right law = P.exact P.defaultLimit (P.crp P.Ana 3 1.5)
-- >>> let chance seated = sum [mass | (outcome, mass) <- P.lawOutcomes law, outcome == seated]
-- >>> let share rs seated = fromIntegral (length (filter (== seated) rs)) / 4000
-- >>> let distance rs = maximum [abs (share rs seated - chance seated) | (seated, _) <- P.lawOutcomes law]
-- >>> let near crp = distance <$> replicateM 4000 (MWC.sample (prob (crp 3 1.5)) gen)
-- >>> one <- near crp_ana
-- >>> other <- near crp_futu
-- >>> (one < 0.05, other < 0.05)
-- (True,True)
module CategoricalListing (ModelF (..), Model, prob, crp_ana, crp_futu) where

import Control.Monad.Free (Free (..), iterM, liftF)
import qualified Control.Monad.Trans.Free as TF
import Hashwell.Process (ana, futu)
import qualified Hashwell.Probability as MWC

data ModelF r =
    BernoulliF Double (Bool -> r)
  | UniformF (Double -> r)
  | CategoricalF [Double] (Int -> r)
  deriving Functor

type Model = Free ModelF

prob :: Model a -> MWC.Prob IO a
prob = iterM $ \case
  BernoulliF p f    -> MWC.bernoulli p >>= f
  UniformF f        -> MWC.uniform >>= f
  CategoricalF ps f -> MWC.categorical ps >>= f

categorical :: [Double] -> Free (TF.FreeF ModelF a) Int
categorical ps = liftF (TF.Free (CategoricalF ps id))

crp_ana :: Int -> Double -> Model [[Int]]
crp_ana n a = ana coalg (1, [[0]]) where
  coalg (customer, tables)
    | customer >= n = TF.Pure tables
    | otherwise =
        let ps = [w / (fromIntegral customer + a) | w <- a : sizes tables]
        in  TF.Free (CategoricalF ps (\i ->
              if   i == 0
              then (succ customer, tables ++ [[customer]])
              else (succ customer, seat (i - 1) customer tables)
            ))

crp_futu :: Int -> Double -> Model [[Int]]
crp_futu n a = futu coalg (1, [[0]]) where
  coalg (customer, tables)
    | customer >= n = TF.Pure tables
    | otherwise =
        let p = a / (fromIntegral customer + a)
        in  TF.Free (BernoulliF p (\accept ->
              if   accept
              then pure (succ customer, tables ++ [[customer]])
              else do
                let ps = [w / fromIntegral customer | w <- sizes tables]
                i <- categorical ps
                pure (succ customer, seat i customer tables)))

sizes :: [[Int]] -> [Double]
sizes = map (fromIntegral . length)

seat :: Int -> Int -> [[Int]] -> [[Int]]
seat i customer tables = [if j == i then customer : t else t | (j, t) <- zip [0 ..] tables]
