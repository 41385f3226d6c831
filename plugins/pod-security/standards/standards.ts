import type { PodSecurityNames } from '../names.js'
import type { Check, CheckVersion, PodLike, Violation } from './check.js'
import { allowPrivilegeEscalation } from './checks/allow-privilege-escalation.js'
import { appArmorProfile } from './checks/app-armor-profile.js'
import { capabilitiesBaseline } from './checks/capabilities-baseline.js'
import { capabilitiesRestricted } from './checks/capabilities-restricted.js'
import { hostNamespaces } from './checks/host-namespaces.js'
import { hostPathVolumes } from './checks/host-path-volumes.js'
import { hostPorts } from './checks/host-ports.js'
import { hostProbes } from './checks/host-probes.js'
import { privileged } from './checks/privileged.js'
import { procMount, procMountRestricted } from './checks/proc-mount.js'
import { restrictedVolumes } from './checks/restricted-volumes.js'
import { runAsNonRoot } from './checks/run-as-non-root.js'
import { runAsUser } from './checks/run-as-user.js'
import { seLinuxOptions } from './checks/se-linux-options.js'
import { seccompProfileBaseline } from './checks/seccomp-profile-baseline.js'
import { seccompProfileRestricted } from './checks/seccomp-profile-restricted.js'
import { sysctls } from './checks/sysctls.js'
import { windowsHostProcess } from './checks/windows-host-process.js'
import { describe, type LevelVersion, type Version } from './level.js'

/** Every rule of the standards, in the order in which violations are reported: the wider standard first. */
const allChecks: readonly Check[] = [
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seLinuxOptions,
  seccompProfileBaseline,
  sysctls,
  windowsHostProcess,

  allowPrivilegeEscalation,
  capabilitiesRestricted,
  procMountRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfileRestricted,
]

/** The published standards: which rules each has at which version. */
export class Standards {
  readonly #names: PodSecurityNames
  /** Newer versions of standards are treated as this one. */
  readonly #newest: Version
  readonly #rules = new Map<string, readonly CheckVersion[]>()

  constructor(names: PodSecurityNames) {
    this.#names = names
    this.#newest = names.newestStandard
  }

  /** Everything a Pod does that the standard forbids. */
  violations(standard: LevelVersion, pod: PodLike): Violation[] {
    return this.#rulesOf(standard).flatMap(rule => rule.find(pod, this.#names) ?? [])
  }

  #rulesOf({ level, version }: LevelVersion): readonly CheckVersion[] {
    // Bounds the cache whatever versions clients write.
    const known = { level, version: Math.min(version, this.#newest) }
    const id = describe(known)
    let rules = this.#rules.get(id)
    if (!rules) this.#rules.set(id, (rules = rulesOf(known)))
    return rules
  }
}

function rulesOf({ level, version }: LevelVersion): CheckVersion[] {
  if (level === 'privileged') return []
  const valid = allChecks
    .filter(check => level === 'restricted' || check.level === 'baseline')
    .flatMap(check => {
      const rule = newestOf(check.versions, version)
      return rule ? [{ check, rule }] : []
    })
  const overridden = new Set(valid.flatMap(({ check }) => check.overrides ?? []))
  return valid.filter(({ check }) => !overridden.has(check.id)).map(({ rule }) => rule)
}

const newestOf = (versions: readonly CheckVersion[], version: Version): CheckVersion | undefined =>
  versions.filter(({ since }) => since <= version).at(-1)

/** Violations in a sentence: `host namespaces (hostNetwork=true), privileged (…)`. */
export const detailsOf = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
/** Without details, so that it is the same for Pods with the same violations. */
export const reasonsOf = (violations: readonly Violation[]): string => violations.map(({ reason }) => reason).join(', ')
