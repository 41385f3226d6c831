import { arithmetic } from './functions/arithmetic.js'
import { comparison, mixedComparison } from './functions/comparison.js'
import { conversions } from './functions/conversions.js'
import { lists } from './functions/lists.js'
import { mapEntries } from './functions/map-entries.js'
import { optionalItems, optionals } from './functions/optionals.js'
import type { Library } from './functions/overload.js'
import { sets } from './functions/sets.js'
import { coreStrings, stringFormats, strings } from './functions/strings.js'
import { times } from './functions/time.js'

/** The core language and the extensions that are common to all hosts. */
export const standardLibraries: readonly Library[] = [
  comparison,
  mixedComparison,
  arithmetic,
  conversions,
  times,
  coreStrings,
  strings,
  stringFormats,
  optionals,
  optionalItems,
  sets,
  mapEntries,
  lists,
]
