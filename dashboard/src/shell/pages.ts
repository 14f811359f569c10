import { Activity, Boxes, ChartColumn, FlaskConical, ListTree, Radar, Server, Settings2 } from 'lucide-react';

/** Every page of the dashboard, in the order of its menu. */
export const PAGES = [
  { path: '/', name: 'Now', icon: Activity },
  { path: '/requests', name: 'Requests', icon: ListTree },
  { path: '/targets', name: 'Targets', icon: Server },
  { path: '/models', name: 'Models', icon: Boxes },
  { path: '/readiness', name: 'Readiness', icon: Radar },
  { path: '/usage', name: 'Usage', icon: ChartColumn },
  { path: '/playground', name: 'Playground', icon: FlaskConical },
  { path: '/settings', name: 'Settings', icon: Settings2 },
] as const;
