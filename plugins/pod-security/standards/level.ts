/** The three standards, from the widest to the strictest. */
export const levels = ['privileged', 'baseline', 'restricted'] as const
export type Level = (typeof levels)[number]

/** Standards are versioned by the minor version of the API; a newer version than the server's means the server's. */
export type Version = number
export const latest: Version = Number.POSITIVE_INFINITY

export interface LevelVersion {
  readonly level: Level
  readonly version: Version
}

export const parseLevel = (text: string): Level | undefined => levels.find(level => level === text)
export function parseVersion(text: string): Version | undefined {
  if (text === 'latest') return latest
  const [, minor] = /^v1\.(0|[1-9][0-9]*)$/.exec(text) ?? []
  return minor === undefined ? undefined : Number(minor)
}

/** As people write it: `restricted:latest`, `baseline:v1.22`. */
export const describe = ({ level, version }: LevelVersion): string =>
  `${level}:${version === latest ? 'latest' : `v1.${version}`}`

export const isStricter = (one: Level, other: Level): boolean => levels.indexOf(one) > levels.indexOf(other)
