import { orchProfile, profileAtVersion, Vendor, type VendorProfile, vendorProfiles } from 'orch/sdk'
import { type BootProblem, problem } from '../contracts/boot-errors.js'

interface ChosenVendor {
  readonly vendor: Vendor
  readonly problems: BootProblem[]
}

/**
 * The vendor of a name or profile, at a version of its API. In case of a problem the default vendor or version is returned with
 * it, so that checks can continue.
 */
export function chooseVendor(given: string | VendorProfile | undefined, version?: string): ChosenVendor {
  const chosen = vendorOf(given)
  if (version === undefined || chosen.problems.length > 0) return chosen
  const { profile } = chosen.vendor
  const known = Object.keys(profile.releases ?? {})
  if (known.length === 0) return { ...chosen, problems: [problem('ORCH_VERSION_FIXED', { vendor: profile.name })] }
  const emulated = profileAtVersion(profile, version)
  if (emulated) return { vendor: new Vendor(emulated), problems: [] }
  return {
    ...chosen,
    problems: [problem('ORCH_VERSION_UNKNOWN', { version, oldest: known[0]!, newest: known.at(-1)! })],
  }
}

function vendorOf(given: string | VendorProfile | undefined): ChosenVendor {
  const fallback = new Vendor(orchProfile)
  if (given === undefined) return { vendor: fallback, problems: [] }
  if (typeof given === 'string') {
    const profile = Object.hasOwn(vendorProfiles, given) ? vendorProfiles[given] : undefined
    if (profile) return { vendor: new Vendor(profile), problems: [] }
    const known = Object.keys(vendorProfiles)
    return { vendor: fallback, problems: [problem('ORCH_VENDOR_UNKNOWN', { vendor: given, known })] }
  }
  // Optional parts of a profile may be missing.
  const { foreignExtensionPrefix: _, ...complete } = orchProfile
  const missing = missingIn(complete as unknown as Parts, given as unknown as Parts)
  if (missing.length > 0) return { vendor: fallback, problems: [problem('ORCH_VENDOR_INVALID', { missing })] }
  return { vendor: new Vendor(given), problems: [] }
}

type Parts = Readonly<Record<string, unknown>>
const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null

/** Dotted paths of a complete profile that are missing in this one or have another type. */
function missingIn(complete: Parts, given: Parts, path = ''): string[] {
  return Object.entries(complete).flatMap(([key, value]) => {
    const mine = given[key]
    if (isParts(value)) return isParts(mine) ? missingIn(value, mine, `${path}${key}.`) : [path + key]
    return typeof mine === typeof value ? [] : [path + key]
  })
}
