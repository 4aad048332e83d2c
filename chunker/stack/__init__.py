"""The models under the CRF: gradient-boosted trees and a small network over blocks."""
