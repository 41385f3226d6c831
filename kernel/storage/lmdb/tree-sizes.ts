/** What lmdb tells about the pages of a tree. */
export interface Sizes {
  readonly pageSize: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
  readonly entryCount: number
}
export interface RootSizes extends Sizes {
  readonly root: Sizes
  readonly free: Sizes
  readonly lastPageNumber: number
}
