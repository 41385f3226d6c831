/** Who makes a request. All of it is opaque until an authorizer reads it. */
export interface UserInfo {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export const allAuthenticated = 'system:authenticated'
export const allUnauthenticated = 'system:unauthenticated'
export const mastersGroup = 'system:masters'
export const anonymousUser: UserInfo = { name: 'system:anonymous', groups: [allUnauthenticated] }
