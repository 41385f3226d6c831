import { existsSync } from 'node:fs'
import { orchProfile, Vendor, type VendorProfile, vendorProfiles } from 'orch/sdk'
import { type ClientConfig, clientConfigPaths, type Kinds } from 'orch/sdk/client'
import { UsageError } from '../usage-error.js'

/** Groups that every complete server has in the domain of its vendor. */
const vendorGroups = ['authentication.', 'authorization.', 'certificates.', 'coordination.', 'storage.', 'events.']

/** The vendor with this name (`kubernetes`) or domain (`acme.test`). */
export function vendorNamed(name: string): Vendor {
  const known = vendorProfiles[name] ?? Object.values(vendorProfiles).find(one => one.groupDomain === name)
  if (known) return new Vendor(known)
  if (!name.includes('.'))
    throw new UsageError(`--vendor must be ${Object.keys(vendorProfiles).join(', ')} or a domain, not "${name}"`)
  return new Vendor(profileOfDomain(name))
}

/** Derives a vendor profile from a domain. */
function profileOfDomain(domain: string): VendorProfile {
  const name = domain.split('.')[0] ?? domain
  return { ...orchProfile, name, domain, groupDomain: domain, extensionPrefix: `x-${name}-` }
}

/** Detects the vendor of a server by the domain of its groups; undefined if it has none of `vendorGroups`. */
export function vendorOf({ all, unavailable }: Kinds): Vendor | undefined {
  const groups = [...all.map(({ group }) => group), ...unavailable.map(one => one.split('/')[0] ?? '')]
  for (const prefix of vendorGroups) {
    const group = groups.find(one => one.startsWith(prefix))
    if (group !== undefined) return vendorNamed(group.slice(prefix.length))
  }
  return undefined
}

/** The vendor whose client config to read: the first whose environment variable is set or whose file exists. */
export function vendorOfConfig(environment: Readonly<Record<string, string | undefined>>): Vendor {
  const vendors = Object.values(vendorProfiles).map(profile => new Vendor(profile))
  return (
    vendors.find(({ profile }) => environment[profile.env.clientConfig]) ??
    vendors.find(vendor => clientConfigPaths({ vendor, environment }).some(path => existsSync(path))) ??
    new Vendor(orchProfile)
  )
}

/** The vendor of credential plugins, from their API version in the config. */
export function vendorOfCredentials(config: ClientConfig): Vendor | undefined {
  const versions = [...config.users.values()].map(user => user.exec?.apiVersion ?? '')
  return Object.values(vendorProfiles)
    .map(profile => new Vendor(profile))
    .find(vendor => versions.some(version => version.startsWith(`${vendor.group('client.authentication')}/`)))
}
