import { orchProfile, Vendor, type VendorProfile, vendorProfiles } from 'orch/sdk'
import { type BootProblem, problem } from '../contracts/boot-errors.js'

/** The vendor of a name or profile. In case of a problem the default vendor is returned with it, so that checks can continue. */
export function chooseVendor(given: string | VendorProfile | undefined): { vendor: Vendor; problems: BootProblem[] } {
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
