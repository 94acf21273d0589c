//! Samples of other designs: by chance, by stratum, by cluster, by step, by key, by age.
