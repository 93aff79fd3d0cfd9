"""The compiler: a product, its tiers, its contracts and its dbt models in; findings and CompiledArtifacts out. Pure."""
