import type { UserInfo } from 'orch/sdk'

/** A user as reviews show it. */
export const userFields = ({ name, uid, groups, extra }: UserInfo) => ({
  username: name,
  ...(uid ? { uid } : {}),
  groups: [...groups],
  ...(extra && Object.keys(extra).length > 0
    ? { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }
    : {}),
})
